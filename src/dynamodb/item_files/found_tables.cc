#include "dinette/dynamodb/item_files/found_tables.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "dinette/base/base64.h"
#include "dinette/base/md5.h"
#include "dinette/dynamodb/item_files/manifest.h"

#include "dynamodb/item_files/folder.h"
#include "dynamodb/item_files/found_files.h"

namespace dinette::dynamodb::item_files {
namespace {

namespace fs = std::filesystem;
using base::Failure;
using Names = FolderNames;

// What dynamodump writes for a table: the output of DescribeTable, and a folder of those of Scan.
constexpr std::string_view dump_schema_name = "schema.json";
constexpr std::string_view dump_data_name = "data";
constexpr std::string_view dump_warning =
    "dynamodump keeps neither the time to live nor the tags of tables: set them again if they are needed";

// What every folder of LevelDB has.
constexpr std::string_view leveldb_current = "CURRENT";
constexpr std::string_view leveldb_manifest = "MANIFEST-";

bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string folder_name(std::string_view name) {
  return std::string(name) + "/";
}

/// A dump of schemas alone has no folder for items.
bool is_dump(const Names& names) {
  return has(names, dump_schema_name) && (has(names, folder_name(dump_data_name)) || names.size() == 1);
}

bool is_leveldb(const Names& names) {
  return has(names, leveldb_current) && std::ranges::any_of(names, [](const std::string& name) {
           return name.starts_with(leveldb_manifest);
         });
}

bool has_manifest(const Names& names) {
  return has(names, summary_name) || has(names, files_name) || has(names, started_name);
}

/// Reads a manifest, and compares it with its digest.
Outcome<std::string> read_manifest(const Folder& folder, std::string_view name,
                                   std::string_view digest_name) {
  for (const std::string_view needed : {name, digest_name}) {
    if (folder.has(std::string(needed))) continue;
    return folder.wrong("", "is not a whole export: it has no " + std::string(needed) +
                                ". The export was interrupted, or some of its files were not copied; "
                                "export again, or copy all of them, or import its folder data alone");
  }
  DINETTE_TRY(std::string text, folder.read_small(name));
  DINETTE_TRY(std::string digest, folder.read_small(digest_name));
  digest.erase(digest.find_last_not_of(" \r\n") + 1);
  if (digest == md5_text(text)) return text;
  return folder.wrong(
      name, "has another MD5 than " + std::string(digest_name) + " says: it has changed, or is damaged");
}

std::string without_slash(std::string_view name) {
  return std::string(name.substr(0, name.size() - 1));
}

std::string_view without_folders(std::string_view key) {
  return key.substr(key.rfind('/') + 1);
}

/// Returns the data file that a manifest lists: as it was written, or unpacked since.
Outcome<DataFile> data_file(const Folder& folder, const ListedFile& listed, FileFormat format) {
  const std::string key = std::string(data_folder_name) + "/" + std::string(without_folders(listed.key));
  const bool is_packed = key.ends_with(gzip_ending);
  if (folder.has(key)) return DataFile{key, is_packed, listed.items, listed.md5, format, {}};
  const std::string unpacked = key.substr(0, key.size() - (is_packed ? gzip_ending.size() : 0));
  if (is_packed && folder.has(unpacked))
    return DataFile{unpacked, false, listed.items, std::nullopt, format, {}};
  return folder.wrong(key, "is missing, though manifest-files.json lists it; copy it there");
}

/// Returns the last name in a folder's path, which may end with a slash.
fs::path name_of(const Folder& folder) {
  const fs::path& path = folder.path();
  return path.has_filename() ? path.filename() : path.parent_path().filename();
}

/// Returns the folder in which the folder of an export is: that of the data files of incremental exports.
Folder around(const Folder& folder) {
  const fs::path path = (folder.path() / "..").lexically_normal();
  return folder.elsewhere(path.empty() ? "." : path);
}

/// Reads one export, whose manifests are in `folder`.
Outcome<FoundTable> read_export(const Folder& folder) {
  DINETTE_TRY(const auto summary_text, read_manifest(folder, summary_name, summary_digest_name));
  const auto summary = read_summary(summary_text);
  if (!summary) return folder.wrong(summary_name, summary.error());
  DINETTE_TRY(const auto files_text, read_manifest(folder, files_name, files_digest_name));
  const auto files = read_files(files_text);
  if (!files) return folder.wrong(files_name, files.error());

  const Folder of_data = summary->is_incremental ? around(folder) : folder;
  FoundTable table{of_data.path(), folder.text(), summary->table_name, {}, {}, summary->items, {}};
  table.is_incremental = summary->is_incremental;
  const auto format = summary->format == DataFormat::ion ? FileFormat::ion : FileFormat::export_lines;
  std::uint64_t items = 0;
  for (const ListedFile& listed : *files) {
    DINETTE_TRY(auto file, data_file(of_data, listed, format));
    table.files.push_back(std::move(file));
    items += listed.items;
  }
  if (items == summary->items) return table;
  return folder.wrong(files_name, "lists " + std::to_string(items) + " items, but manifest-summary.json " +
                                      std::to_string(summary->items));
}

/// Reads every export in a folder AWSDynamoDB, or the one whose files were copied there without their folder.
Outcome<std::vector<FoundTable>> read_exports(const Folder& folder) {
  std::vector<FoundTable> tables;
  DINETTE_TRY(const Names names, folder.names());
  if (has_manifest(names)) {
    DINETTE_TRY(auto table, read_export(folder));
    tables.push_back(std::move(table));
    return tables;
  }
  for (const std::string& name : names) {
    // The data of incremental exports are next to the exports.
    if (!name.ends_with('/') || name == folder_name(data_folder_name)) continue;
    DINETTE_TRY(auto table, read_export(folder.below(without_slash(name))));
    tables.push_back(std::move(table));
  }
  return tables;
}

bool may_have_items(std::string_view name) {
  return !name.ends_with('/') && !name.starts_with('.') && name != table_file_name;
}

/// Finds what the files in the folder itself hold. `defined`: it has a table.json, whose table comes first.
Outcome<FoundTables> read_files(const Folder& folder, const Names& names, bool defined,
                                const ReadDatabase& read_database) {
  FoundFiles files(folder, read_database);
  if (defined) files.tables().push_back({folder.path(), folder.text(), {}, {}, {}, {}, {}});
  for (const std::string& name : names) {
    if (may_have_items(name)) DINETTE_CHECK(files.add_found(name));
  }
  return FoundTables{false, std::move(files.tables()), std::move(files.skipped())};
}

/// Reads a folder that dynamodump has written for a table.
Outcome<FoundTable> read_dump(const Folder& folder, bool has_items, const ReadDatabase& read_database) {
  DINETTE_TRY(const auto schema, folder.read_small(dump_schema_name));
  const auto text = table_file_text({schema, {}, {}});
  if (!text) return folder.wrong(dump_schema_name, "is no output of DescribeTable, as dynamodump writes it");
  auto definition = read_table_file(*text);
  if (!definition) return folder.wrong(dump_schema_name, definition.error());

  const Folder data = folder.below(dump_data_name);
  Names names;
  if (has_items) {
    DINETTE_TRY(names, data.names());
  }
  DINETTE_TRY(auto found, read_files(data, names, true, read_database));
  FoundTable table = std::move(found.tables.front());
  table.place = folder.text();
  table.name = definition->table_name;
  table.definition = std::move(definition).value();
  table.warnings.emplace_back(dump_warning);
  return table;
}

Failure<std::string> refuse_leveldb(const Folder& folder) {
  return {
      folder.text() +
      " is a folder of LevelDB, which dynalite writes. Start the version of dynalite that wrote it: npx "
      "dynalite@3 --path " +
      folder.text() +
      " --port 4567 (or dynalite@4). Then run: dinette export http://127.0.0.1:4567 --to ./moved, and import "
      "./moved"};
}

Outcome<void> define(FoundTable& table, const Folder& folder) {
  DINETTE_TRY(const auto text, folder.read_small(table_file_name));
  auto definition = read_table_file(text);
  if (!definition) return folder.wrong(table_file_name, definition.error());
  table.place = folder.text();
  table.name = definition->table_name;
  table.definition = std::move(definition).value();
  return {};
}

/// Reads a folder that is one table's, or has exports or files of several. No tables: it is neither.
Outcome<FoundTables> read_table_folder(const Folder& folder, const ReadDatabase& read_database) {
  DINETTE_TRY(const Names names, folder.names());
  const bool defined = has(names, table_file_name);
  const bool exported = has(names, folder_name(exports_folder));
  FoundTables found;
  if (is_leveldb(names)) return refuse_leveldb(folder);
  if (is_dump(names)) {
    const bool has_items = has(names, folder_name(dump_data_name));
    DINETTE_TRY(auto table, read_dump(folder, has_items, read_database));
    found.tables.push_back(std::move(table));
    return found;
  }
  const bool is_of_exports = name_of(folder) == exports_folder && !has_manifest(names);
  if (has_manifest(names) || (has(names, folder_name(data_folder_name)) && !is_of_exports)) {
    DINETTE_TRY(auto table, read_export(folder));
    found.tables.push_back(std::move(table));
  } else if (exported) {
    DINETTE_TRY(found.tables, read_exports(folder.below(exports_folder)));
    if (std::ranges::any_of(names, is_data_file))
      return Failure{folder.text() +
                     " has both an export (AWSDynamoDB) and files of items; move one of them elsewhere"};
    if (found.tables.empty()) return folder.wrong(exports_folder, "has no export in it");
    if (defined && found.tables.size() > 1)
      return Failure{folder.text() + " has several exports of one table; remove all but one, or name one: " +
                     found.tables.back().place};
  } else if (is_of_exports) {
    DINETTE_TRY(found.tables, read_exports(folder));
    return found;
  } else {
    DINETTE_TRY(found, read_files(folder, names, defined, read_database));
  }
  if (defined) DINETTE_CHECK(define(found.tables.front(), folder));
  return found;
}

/// Reads the folders in `folder`, each of a table.
Outcome<FoundTables> read_table_folders(const Folder& folder, const ReadDatabase& read_database) {
  FoundTables all{true, {}, {}};
  DINETTE_TRY(const Names names, folder.names());
  for (const std::string& entry : names) {
    if (!entry.ends_with('/') || entry.starts_with('.')) continue;
    const std::string name = without_slash(entry);
    DINETTE_TRY(auto found, read_table_folder(folder.below(name), read_database));
    if (found.tables.empty())
      return folder.wrong(name,
                          "holds no table: neither table.json, nor AWSDynamoDB, nor files of items "
                          "(JSON, CSV, Ion); fill it, or remove it");
    for (FoundTable& table : found.tables) {
      if (table.name.empty()) table.name = name;
      all.tables.push_back(std::move(table));
    }
    for (const std::string& skipped : found.skipped) all.skipped.push_back(entry + skipped);
  }
  return all;
}

/// Finds the tables in a file.
Outcome<FoundTables> read_file(objects::ObjectStore& store, const fs::path& path,
                               const ReadDatabase& read_database) {
  const Folder folder(store, path.has_parent_path() ? path.parent_path() : fs::path("."));
  FoundFiles files(folder, read_database);
  DINETTE_CHECK(files.add_named(path.filename().string()));
  for (FoundTable& table : files.tables()) table.place = path.string();
  return FoundTables{files.tables().size() > 1, std::move(files.tables()), {}};
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

Outcome<FoundTables> find_tables(objects::ObjectStore& store, const fs::path& path,
                                 const ReadDatabase& read_database) {
  std::error_code ignored;
  const bool is_file = fs::is_regular_file(path, ignored);
  const Folder folder(store, path);
  FoundTables found;
  if (is_file) {
    DINETTE_TRY(found, read_file(store, path, read_database));
  } else {
    DINETTE_TRY(found, read_table_folder(folder, read_database));
    found.several = found.tables.size() > 1;
  }
  if (found.tables.empty() && !is_file) {
    DINETTE_TRY(found, read_table_folders(folder, read_database));
  }
  if (found.tables.empty())
    return Failure{path.string() +
                   " holds no tables: expected is a folder that `dinette export` or the service has "
                   "written, or a folder per table with table.json and files of items"};
  DINETTE_CHECK(check_names(found.tables));
  return found;
}

Outcome<std::unique_ptr<objects::ObjectReader>> open_data_file(objects::ObjectStore& store,
                                                               const FoundTable& table,
                                                               const DataFile& file) {
  return Folder(store, table.folder).open(file.key);
}

Outcome<void> check_digest(objects::ObjectStore& store, const FoundTable& table, const DataFile& file) {
  if (!file.md5) return {};
  const Folder folder(store, table.folder);
  base::Md5 md5;
  DINETTE_CHECK(folder.read(file.key, [&](std::string_view part) { md5.add(part); }));
  const base::Md5Digest digest = md5.digest();
  if (base::base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()}) == *file.md5)
    return {};
  return folder.wrong(
      file.key, "has another MD5 than manifest-files.json says: it was cut, or is damaged; copy it again");
}

}  // namespace dinette::dynamodb::item_files
