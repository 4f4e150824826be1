#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dinette/dynamodb/item_files/file_format.h"
#include "dinette/dynamodb/item_files/item_reader.h"
#include "dinette/dynamodb/item_files/json_items.h"

#include "dynamodb/item_files/text_object.h"
#include "fuzz/item_source.h"

/// Any bytes as a file of items in JSON. The first one chooses what is expected in it.
namespace {

namespace item_files = dinette::dynamodb::item_files;

auto read(std::string_view file, std::size_t part, std::uint8_t kind) {
  test::TextObject object(std::string(file), part);
  item_files::Warnings warnings;
  const item_files::FileWarnings of_file{warnings, "f"};
  const auto packing = item_files::Packing::none;
  const auto batch = kind % 4 == 2 ? item_files::Batch::write : item_files::Batch::get;
  auto source = kind % 4 == 0   ? item_files::plain_json_items(object, packing, of_file)
                : kind % 4 == 1 ? item_files::scan_page_items(object, packing, of_file)
                                : item_files::batch_items(object, packing, batch, "T", of_file);
  auto told = test::told(*source);
  for (const std::string& line : warnings.lines()) told.push_back(line);
  return told;
}

/// The program reads what it has recognised; also other bytes must not harm.
void look_at(std::string_view file, std::size_t part) {
  test::TextObject object(std::string(file), part);
  (void)item_files::recognise(object);
  test::TextObject again(std::string(file), part);
  (void)item_files::batch_tables(again, item_files::Packing::none, item_files::Batch::write);
  (void)item_files::batch_tables(again, item_files::Packing::none, item_files::Batch::get);
}

/// Lines of an export, full or incremental.
auto read_export(std::string_view file, std::size_t part) {
  test::TextObject object(std::string(file), part);
  item_files::ItemReader reader(object, item_files::Packing::none, {}, item_files::Changes::applied);
  return test::told(reader);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view file{reinterpret_cast<const char*>(data) + 1, size - 1};
  test::expect(read(file, 1, data[0]) == read(file, size, data[0]));
  test::expect(read_export(file, 1) == read_export(file, size));
  look_at(file, size);
  return 0;
}
