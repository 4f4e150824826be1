#include "app/transfer/open_items.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string_view>
#include <utility>

#include "dinette/dynamodb/item_files/ion_reader.h"
#include "dinette/dynamodb/item_files/item_reader.h"
#include "dinette/dynamodb/item_files/json_items.h"
#include "dinette/kv/folder_contents.h"

#include "app/transfer/local_data_file.h"

namespace dinette::app {
namespace {

namespace fs = std::filesystem;
namespace item_files = dynamodb::item_files;
using base::Failure;
using item_files::Changes;
using item_files::DataFile;
using item_files::FileFormat;
using item_files::FoundTable;
using item_files::ItemSource;
using item_files::Outcome;
using item_files::Packing;

using OpenedItems = Outcome<std::unique_ptr<ItemSource>>;

/// Items, and what they are read from.
template <class From>
class KeptItems final : public ItemSource {
 public:
  KeptItems(std::unique_ptr<From> from, std::unique_ptr<ItemSource> items)
      : from_(std::move(from)), items_(std::move(items)) {}

  item_files::ReadResult<std::optional<std::string_view>> next() override { return items_->next(); }
  std::string_view condition() const override { return items_->condition(); }
  bool deletes() const override { return items_->deletes(); }
  std::uint64_t line() const override { return items_->line(); }
  std::string place() const override { return items_->place(); }
  std::uint64_t bytes_read() const override { return items_->bytes_read(); }

 private:
  const std::unique_ptr<From> from_;
  const std::unique_ptr<ItemSource> items_;
};

Outcome<std::vector<FoundTable>> tables_in_database(const fs::path& path) {
  DINETTE_TRY(const auto file, LocalDataFile::open(path));
  return file->tables();
}

OpenedItems open_database(const fs::path& path, const std::string& part, item_files::FileWarnings warnings) {
  DINETTE_TRY(auto file, LocalDataFile::open(path));
  DINETTE_TRY(auto items, file->items(part, std::move(warnings)));
  return std::unique_ptr<ItemSource>(
      std::make_unique<KeptItems<LocalDataFile>>(std::move(file), std::move(items)));
}

/// Returns the delimiter that the first line of a file suggests.
Outcome<char> delimiter_of(objects::ObjectReader& object, Packing packing,
                           const std::vector<std::string>& keys) {
  const auto delimiter = item_files::csv_delimiter(object, packing, keys);
  if (!delimiter) return Failure{delimiter.error().message};
  if (const auto begun = object.seek(0); !begun) return Failure{"cannot be read: " + begun.error().message};
  return *delimiter;
}

Outcome<item_files::CsvOptions> csv_options(objects::ObjectReader& object, Packing packing,
                                            const CsvSettings& csv, const ReadKeys& read_keys) {
  DINETTE_TRY(auto keys, read_keys());
  item_files::CsvOptions options;
  options.delimiter = csv.delimiter;
  if (options.delimiter == '\0') {
    DINETTE_TRY(options.delimiter, delimiter_of(object, packing, keys.of_table));
  }
  for (const auto& [name, type] : csv.cells.types) {
    if (keys.types.contains(name))
      return Failure{"has the column '" + name +
                     "', which is a key of the table and has its type: leave it out of --types"};
  }
  options.types = std::move(keys.types);
  options.needed = std::move(keys.of_table);
  options.cells = csv.cells;
  return options;
}

}  // namespace

std::string name_of_file(const FoundTable& table, const DataFile& file) {
  return (table.folder / file.key).lexically_normal().string();
}

base::Result<item_files::FoundTables, std::string> find_tables_to_import(objects::ObjectStore& store,
                                                                         const fs::path& path) {
  if (kv::holds_data(path))
    return Failure{path.string() +
                   " is a data folder of Dinette: export its tables first, by dinette export " +
                   path.string() + " --to FOLDER"};
  return item_files::find_tables(store, path, tables_in_database);
}

base::Result<std::unique_ptr<ItemSource>, std::string> open_items(
    objects::ObjectStore& store, const FoundTable& table, const DataFile& file, const CsvSettings& csv,
    const ReadKeys& read_keys, item_files::Warnings& warnings) {
  item_files::FileWarnings of_file{warnings, name_of_file(table, file)};
  if (file.format == FileFormat::database)
    return open_database(table.folder / file.key, file.part, std::move(of_file));
  DINETTE_TRY(auto object, item_files::open_data_file(store, table, file));
  const Packing packing = file.gzip ? Packing::gzip : Packing::none;
  std::unique_ptr<ItemSource> items;
  switch (file.format) {
    case FileFormat::ion:
      items = std::make_unique<item_files::IonReader>(*object, packing, std::stop_token(), Changes::applied);
      break;
    case FileFormat::plain_json:
      items = item_files::plain_json_items(*object, packing, of_file);
      break;
    case FileFormat::scan_pages:
      items = item_files::scan_page_items(*object, packing, of_file);
      break;
    case FileFormat::batch_write:
      items = item_files::batch_items(*object, packing, item_files::Batch::write, file.part, of_file);
      break;
    case FileFormat::batch_get:
      items = item_files::batch_items(*object, packing, item_files::Batch::get, file.part, of_file);
      break;
    case FileFormat::csv: {
      auto options = csv_options(*object, packing, csv, read_keys);
      if (!options) return Failure{of_file.file + " " + options.error()};
      items = std::make_unique<item_files::CsvReader>(*object, packing, std::move(options).value());
      break;
    }
    default:
      items = std::make_unique<item_files::ItemReader>(*object, packing, std::stop_token(), Changes::applied);
  }
  return std::unique_ptr<ItemSource>(
      std::make_unique<KeptItems<objects::ObjectReader>>(std::move(object), std::move(items)));
}

}  // namespace dinette::app
