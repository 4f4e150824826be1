#include "dynamodb/exports/bucket_objects.h"

#include <utility>

namespace dinette::dynamodb {
namespace {

using base::Failure;
using item_files::Outcome;

}  // namespace

objects::Result<void> BucketObjects::write(const std::string& key, std::string_view bytes,
                                           std::optional<std::string> etag) const {
  if (!store_)
    return Failure{objects::Error{objects::ErrorKind::no_such_bucket, "the server has no buckets"}};
  DINETTE_TRY(const auto writer, store_->write(bucket_, key));
  DINETTE_CHECK(writer->write(bytes));
  DINETTE_CHECK(writer->finish(std::move(etag)));
  return {};
}

Outcome<void> BucketObjects::note(const objects::Result<void>& written) {
  if (written) return {};
  error_ = written.error();
  return Failure{error_.message};
}

Outcome<void> BucketObjects::put(std::string_view key, std::string_view bytes) {
  return note(write(std::string(key), bytes, std::nullopt));
}

Outcome<void> BucketObjects::put_with_etag(std::string_view key, std::string_view bytes,
                                           std::string_view etag) {
  return note(write(std::string(key), bytes, std::string(etag)));
}

Outcome<std::unique_ptr<item_files::ObjectStream>> BucketObjects::open(std::string_view key) const {
  return Failure{name_of(key) + " is not open for reading"};
}

bool BucketObjects::has(std::string_view) const {
  return false;
}

std::string BucketObjects::name_of(std::string_view key) const {
  return bucket_ + "/" + std::string(key);
}

}  // namespace dinette::dynamodb
