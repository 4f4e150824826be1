#include "dynamodb/item_files/found_files.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "dinette/dynamodb/item_files/item_source.h"

namespace dinette::dynamodb::item_files {
namespace {

using base::Failure;

constexpr std::string_view plain_ending = ".json";

/// Returns true if a file that may be CSV is called so.
bool is_called_csv(std::string_view name) {
  if (name.ends_with(gzip_ending)) name.remove_suffix(gzip_ending.size());
  return name.ends_with(".csv") || name.ends_with(".tsv");
}

}  // namespace

bool is_data_file(std::string_view name) {
  return (name.ends_with(packed_ending) || name.ends_with(plain_ending)) && name != table_file_name;
}

Outcome<void> FoundFiles::add_named(const std::string& name) {
  DINETTE_TRY(const auto recognised, recognise_file(name));
  if (!recognised)
    return folder_.wrong(name,
                         "has nothing that can be imported; expected is a file of items in JSON, CSV or "
                         "Ion, such as {\"id\": \"a\"} on each line, or a data file of DynamoDB Local");
  return add(name, *recognised);
}

Outcome<void> FoundFiles::add_found(const std::string& name) {
  const auto recognised = recognise_file(name);
  const bool called_so = is_data_file(name) || is_called_csv(name);
  if (!recognised && called_so) return Failure{recognised.error()};
  if (recognised && *recognised && ((*recognised)->format != FileFormat::csv || is_called_csv(name)))
    return add(name, **recognised);
  if (is_data_file(name)) return add(name, {FileFormat::plain_json, name.ends_with(packed_ending)});
  skipped_.push_back(name);
  return {};
}

Outcome<std::optional<RecognisedFile>> FoundFiles::recognise_file(const std::string& name) const {
  DINETTE_TRY(const auto file, folder_.open(name));
  auto recognised = recognise(*file);
  if (!recognised) return folder_.wrong(name, recognised.error());
  return recognised;
}

Outcome<void> FoundFiles::add(const std::string& name, const RecognisedFile& recognised) {
  if (recognised.format == FileFormat::database) return add_database(name);
  DataFile file{name, recognised.gzip, {}, {}, recognised.format, {}};
  if (recognised.format == FileFormat::batch_write) return add_batch(std::move(file), Batch::write);
  if (recognised.format == FileFormat::batch_get) return add_batch(std::move(file), Batch::get);
  table_of("").files.push_back(std::move(file));
  return {};
}

Outcome<void> FoundFiles::add_batch(DataFile file, Batch batch) {
  DINETTE_TRY(const auto object, folder_.open(file.key));
  const auto names = batch_tables(*object, file.gzip ? Packing::gzip : Packing::none, batch);
  if (!names) return folder_.wrong(file.key, names.error());
  for (const std::string& name : *names) {
    file.part = name;
    FoundTable& table = table_of(name);
    if (table.files.empty()) table.place = (folder_.path() / file.key).string();
    table.files.push_back(file);
  }
  return {};
}

Outcome<void> FoundFiles::add_database(const std::string& name) {
  if (!read_database_) return folder_.wrong(name, "is a database, which is not read here");
  DINETTE_TRY(auto tables, read_database_(folder_.path() / name));
  std::ranges::move(tables, std::back_inserter(tables_));
  return {};
}

/// Returns the table of that name, which the folder does not define.
FoundTable& FoundFiles::table_of(std::string_view name) {
  for (FoundTable& table : tables_) {
    if (table.name == name && !table.definition) return table;
  }
  return tables_.emplace_back(FoundTable{folder_.path(), folder_.text(), std::string(name), {}, {}, {}, {}});
}

}  // namespace dinette::dynamodb::item_files
