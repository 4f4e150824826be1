#include "dinette/objects/object_store.h"

namespace dinette::objects {

Result<ObjectInfo> put(ObjectStore& store, const std::string& bucket, const std::string& key,
                       std::string_view bytes) {
  DINETTE_TRY(const auto writer, store.write(bucket, key));
  DINETTE_CHECK(writer->write(bytes));
  return writer->finish();
}

}  // namespace dinette::objects
