#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "dinette/dynamodb/item_files/warnings.h"

#include "app/transfer/local_data_file.h"
#include "fuzz/item_source.h"

/// Any bytes as a data file of DynamoDB Local. There must not be more items than bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using dinette::app::LocalDataFile;
  namespace item_files = dinette::dynamodb::item_files;

  if (size == 0) return 0;
  const auto file = LocalDataFile::of_bytes({reinterpret_cast<const char*>(data), size}, "f");
  if (!file) return 0;
  const auto tables = (*file)->tables();
  if (!tables) return 0;
  for (const item_files::FoundTable& table : *tables) {
    item_files::Warnings warnings;
    const auto source = (*file)->items(table.name, {warnings, "f"});
    if (source) test::expect(test::told(**source).size() <= size);
  }
  return 0;
}
