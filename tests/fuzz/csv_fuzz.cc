#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/dynamodb/item_files/csv_reader.h"

#include "dynamodb/item_files/text_object.h"
#include "fuzz/item_source.h"

/// Any bytes as a data file in CSV. The first one chooses the delimiter, if there is a list of names, and if
/// it is read as the service does or as the command does.
namespace {

namespace item_files = dinette::dynamodb::item_files;

auto read(std::string_view file, std::size_t part, std::uint8_t options) {
  constexpr std::string_view delimiters = ",:;|\t ";
  item_files::CsvOptions csv{.delimiter = delimiters[options % delimiters.size()], .types = {{"pk", 'N'}}};
  if ((options & 0x80) != 0) csv.header = {"pk", "a"};
  if ((options & 0x40) != 0) csv.needed = {"pk"};
  if ((options & 0x20) != 0)
    csv.cells = {.types = {{"a", item_files::CellType::boolean}}, .others = item_files::CellType::inferred};
  if ((options & 0x10) != 0) {
    test::TextObject beginning(std::string(file), part);
    csv.delimiter = item_files::csv_delimiter(beginning, item_files::Packing::none, csv.needed).value();
  }
  test::TextObject object(std::string(file), part);
  item_files::CsvReader reader(object, item_files::Packing::none, std::move(csv));
  return test::told(reader);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view file{reinterpret_cast<const char*>(data) + 1, size - 1};
  test::expect(read(file, 1, data[0]) == read(file, size, data[0]));
  return 0;
}
