#include "dinette/dynamodb/item_files/found_tables.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "dinette/base/base64.h"
#include "dinette/base/file_advice.h"
#include "dinette/base/md5.h"
#include "dinette/dynamodb/item_files/manifest.h"

namespace dinette::dynamodb::item_files {
namespace {

namespace fs = std::filesystem;
using base::Failure;
using Names = std::vector<std::string>;

// Far more than such files have.
constexpr std::size_t most_manifest_bytes = 64 << 20;
constexpr std::size_t digest_part_bytes = 256 << 10;

constexpr std::string_view packed_ending = ".json.gz";
constexpr std::string_view plain_ending = ".json";

bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string folder_name(std::string_view name) {
  return std::string(name) + "/";
}

bool is_data_file(std::string_view name) {
  return (name.ends_with(packed_ending) || name.ends_with(plain_ending)) && name != table_file_name;
}

bool is_export(const Names& names) {
  return has(names, summary_name) || has(names, files_name) || has(names, started_name) ||
         has(names, folder_name(data_folder_name));
}

/// Returns what is wrong with an object.
Failure<std::string> wrong(const Objects& objects, std::string_view key, std::string_view what) {
  return Failure{objects.name_of(key) + " " + std::string(what)};
}

/// Reads a manifest, and compares it with its digest.
Outcome<std::string> read_manifest(const Objects& objects, std::string_view name,
                                   std::string_view digest_name) {
  for (const std::string_view needed : {name, digest_name}) {
    if (objects.has(needed)) continue;
    return wrong(objects, "",
                 "is not a whole export: it has no " + std::string(needed) +
                     ". The export was interrupted, or some of its files were not copied; "
                     "export again, or copy all of them");
  }
  DINETTE_TRY(std::string text, read_object(objects, name, most_manifest_bytes));
  DINETTE_TRY(std::string digest, read_object(objects, digest_name, most_manifest_bytes));
  digest.erase(digest.find_last_not_of(" \r\n") + 1);
  if (digest == md5_text(text)) return text;
  return wrong(objects, name,
               "has another MD5 than " + std::string(digest_name) + " says: it has changed, or is damaged");
}

std::string_view without_folders(std::string_view key) {
  return key.substr(key.rfind('/') + 1);
}

/// Returns the data file that a manifest lists: as it was written, or unpacked since.
Outcome<DataFile> data_file(const Objects& objects, const ListedFile& listed) {
  const std::string key = std::string(data_folder_name) + "/" + std::string(without_folders(listed.key));
  if (objects.has(key)) return DataFile{key, key.ends_with(packed_ending), listed.items, listed.md5};
  const std::string unpacked = key.substr(0, key.size() - std::min<std::size_t>(3, key.size()));
  if (key.ends_with(packed_ending) && objects.has(unpacked))
    return DataFile{unpacked, false, listed.items, std::nullopt};
  return wrong(objects, key, "is missing, though manifest-files.json lists it; copy it there");
}

/// Reads one export, whose manifests are in `folder`.
Outcome<FoundTable> read_export(const fs::path& folder) {
  const auto objects = std::make_shared<FolderObjects>(folder);
  DINETTE_TRY(const auto summary_text, read_manifest(*objects, summary_name, summary_digest_name));
  const auto summary = read_summary(summary_text);
  if (!summary) return wrong(*objects, summary_name, summary.error());
  DINETTE_TRY(const auto files_text, read_manifest(*objects, files_name, files_digest_name));
  const auto files = read_files(files_text);
  if (!files) return wrong(*objects, files_name, files.error());

  FoundTable table{objects, folder.string(), summary->table_name, {}, {}, summary->items};
  std::uint64_t items = 0;
  for (const ListedFile& listed : *files) {
    DINETTE_TRY(auto file, data_file(*objects, listed));
    table.files.push_back(std::move(file));
    items += listed.items;
  }
  if (items == summary->items) return table;
  return wrong(*objects, files_name,
               "lists " + std::to_string(items) + " items, but manifest-summary.json " +
                   std::to_string(summary->items));
}

/// Reads every export in a folder AWSDynamoDB.
Outcome<std::vector<FoundTable>> read_exports(const fs::path& folder) {
  std::vector<FoundTable> tables;
  for (const std::string& name : FolderObjects(folder).names()) {
    // The data of incremental exports are next to the exports.
    if (!name.ends_with('/') || name == folder_name(data_folder_name)) continue;
    DINETTE_TRY(auto table, read_export(folder / name.substr(0, name.size() - 1)));
    tables.push_back(std::move(table));
  }
  return tables;
}

/// Returns the files of items that are in the folder itself.
FoundTable read_files_alone(const fs::path& folder, const Names& names) {
  FoundTable table{std::make_shared<FolderObjects>(folder), folder.string(), {}, {}, {}, {}};
  for (const std::string& name : names) {
    if (is_data_file(name)) table.files.push_back({name, name.ends_with(packed_ending)});
  }
  return table;
}

Outcome<void> define(FoundTable& table, const fs::path& folder) {
  const FolderObjects objects(folder);
  DINETTE_TRY(const auto text, read_object(objects, table_file_name, most_manifest_bytes));
  auto definition = read_table_file(text);
  if (!definition) return wrong(objects, table_file_name, definition.error());
  table.place = folder.string();
  table.name = definition->table_name;
  table.definition = std::move(definition).value();
  return {};
}

/// Reads a folder that is one table's, or has exports of several. Empty: it is neither.
Outcome<std::vector<FoundTable>> read_table_folder(const fs::path& folder) {
  const Names names = FolderObjects(folder).names();
  const bool defined = has(names, table_file_name);
  const bool exported = has(names, folder_name(exports_folder));
  const bool has_files = std::ranges::any_of(names, is_data_file);
  std::vector<FoundTable> tables;
  if (is_export(names)) {
    DINETTE_TRY(auto table, read_export(folder));
    tables.push_back(std::move(table));
  } else if (exported) {
    DINETTE_TRY(tables, read_exports(folder / exports_folder));
    if (has_files)
      return Failure{folder.string() +
                     " has both an export (AWSDynamoDB) and files of items; move one of them elsewhere"};
    if (tables.empty()) return Failure{(folder / exports_folder).string() + " has no export in it"};
    if (defined && tables.size() > 1)
      return Failure{
          folder.string() +
          " has several exports of one table; remove all but one, or name one: " + tables.back().place};
  } else if (fs::path(folder).filename() == exports_folder) {
    return read_exports(folder);
  } else if (has_files || defined) {
    tables.push_back(read_files_alone(folder, names));
  }
  if (defined) DINETTE_CHECK(define(tables.front(), folder));
  return tables;
}

/// Reads the folders in `folder`, each of a table.
Outcome<std::vector<FoundTable>> read_table_folders(const fs::path& folder) {
  std::vector<FoundTable> tables;
  for (const std::string& entry : FolderObjects(folder).names()) {
    if (!entry.ends_with('/') || entry.starts_with('.')) continue;
    const std::string name = entry.substr(0, entry.size() - 1);
    DINETTE_TRY(auto found, read_table_folder(folder / name));
    if (found.empty())
      return Failure{(folder / name).string() +
                     " holds no table: neither table.json, nor AWSDynamoDB, nor files of items "
                     "(*.json, *.json.gz); fill it, or remove it"};
    for (FoundTable& table : found) {
      if (table.name.empty()) table.name = name;
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

Outcome<void> check_names(const std::vector<FoundTable>& tables) {
  std::set<std::string> names;
  for (const FoundTable& table : tables) {
    if (names.insert(table.name).second) continue;
    return Failure{"the table " + table.name + " is there more than once, also in " + table.place +
                   "; remove all but one, or import one of their folders alone"};
  }
  return {};
}

}  // namespace

Outcome<FoundTables> find_tables(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) return Failure{folder.string() + " is not a folder"};
  const fs::directory_iterator readable(folder, error);
  if (error)
    return Failure{folder.string() + " cannot be read: " + error.message() +
                   base::file_advice(folder, error.value())};
  FoundTables found;
  DINETTE_TRY(found.tables, read_table_folder(folder));
  found.several = found.tables.size() > 1;
  if (found.tables.empty()) {
    DINETTE_TRY(found.tables, read_table_folders(folder));
    found.several = true;
  }
  if (found.tables.empty())
    return Failure{folder.string() +
                   " holds no tables: expected is a folder that `dinette export` or the service has "
                   "written, or a folder per table with table.json and files of items"};
  DINETTE_CHECK(check_names(found.tables));
  return found;
}

Outcome<void> check_digest(const FoundTable& table, const DataFile& file) {
  if (!file.md5) return {};
  DINETTE_TRY(const auto stream, table.objects->open(file.key));
  base::Md5 md5;
  std::string part(digest_part_bytes, '\0');
  for (;;) {
    DINETTE_TRY(const std::size_t size, stream->read(part));
    if (size == 0) break;
    md5.add({part.data(), size});
  }
  const base::Md5Digest digest = md5.digest();
  if (base::base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()}) == *file.md5)
    return {};
  return wrong(*table.objects, file.key,
               "has another MD5 than manifest-files.json says: it was cut, or is damaged; copy it again");
}

}  // namespace dinette::dynamodb::item_files
