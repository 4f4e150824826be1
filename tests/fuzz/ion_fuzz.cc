#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dinette/dynamodb/item_files/ion_reader.h"

#include "dynamodb/item_files/text_object.h"
#include "fuzz/item_source.h"

/// Any bytes as a data file in Ion's text form.
namespace {

namespace item_files = dinette::dynamodb::item_files;

auto read(std::string_view file, std::size_t part, item_files::Changes changes) {
  test::TextObject object(std::string(file), part);
  item_files::IonReader reader(object, item_files::Packing::none, {}, changes);
  return test::told(reader);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view file{reinterpret_cast<const char*>(data), size};
  using item_files::Changes;
  for (const Changes changes : {Changes::refused, Changes::applied})
    test::expect(read(file, 1, changes) == read(file, size + 1, changes));
  return 0;
}
