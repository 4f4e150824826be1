#include "dinette/dynamodb/item_files/found_tables.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "dinette/base/base64.h"
#include "dinette/base/function_ref.h"
#include "dinette/base/md5.h"
#include "dinette/dynamodb/item_files/manifest.h"

namespace dinette::dynamodb::item_files {
namespace {

namespace fs = std::filesystem;
using base::Failure;
using Names = std::vector<std::string>;

// Far more than such files have.
constexpr std::size_t most_manifest_bytes = 64 << 20;
constexpr std::size_t part_bytes = 256 << 10;

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

/// A folder, and what it has.
class Folder {
 public:
  Folder(objects::ObjectStore& store, fs::path path) : store_(store), path_(std::move(path)) {}

  const fs::path& path() const { return path_; }
  std::string text() const { return path_.string(); }
  Folder below(const fs::path& name) const { return {store_, path_ / name}; }

  /// Returns what is wrong with a file, or with the folder if `key` is empty.
  Failure<std::string> wrong(std::string_view key, std::string_view what) const {
    return Failure{(path_ / key).string() + " " + std::string(what)};
  }

  /// Returns the names of the files and folders in it, folders with a slash at the end.
  Outcome<Names> names() const {
    auto listed = store_.list(text(), {.limit = std::numeric_limits<std::size_t>::max(), .delimiter = "/"});
    if (!listed && listed.error().kind == objects::ErrorKind::no_such_bucket)
      return Failure{text() + " is not a folder"};
    if (!listed) return Failure{text() + " cannot be read: " + listed.error().message};
    Names names = std::move(listed->prefixes);
    for (objects::ObjectInfo& file : listed->objects) names.push_back(std::move(file.key));
    return names;
  }

  bool has(const std::string& key) const {
    const auto file = store_.open(text(), key);
    return file || file.error().kind != objects::ErrorKind::no_such_object;
  }

  Outcome<std::unique_ptr<objects::ObjectReader>> open(const std::string& key) const {
    auto file = store_.open(text(), key);
    if (!file) return wrong(key, "cannot be read: " + file.error().message);
    return std::move(file).value();
  }

  /// Calls `take` for each part of a file.
  Outcome<void> read(const std::string& key, base::FunctionRef<void(std::string_view)> take,
                     std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max()) const {
    DINETTE_TRY(const auto file, open(key));
    if (file->info().size > most_bytes) return wrong(key, "is too large for what it should be");
    std::string part(part_bytes, '\0');
    for (;;) {
      const auto size = file->read(part);
      if (!size) return wrong(key, "cannot be read: " + size.error().message);
      if (*size == 0) return {};
      take({part.data(), *size});
    }
  }

  Outcome<std::string> read_small(std::string_view key) const {
    std::string text;
    DINETTE_CHECK(read(
        std::string(key), [&](std::string_view part) { text += part; }, most_manifest_bytes));
    return text;
  }

 private:
  objects::ObjectStore& store_;
  fs::path path_;
};

/// Reads a manifest, and compares it with its digest.
Outcome<std::string> read_manifest(const Folder& folder, std::string_view name,
                                   std::string_view digest_name) {
  for (const std::string_view needed : {name, digest_name}) {
    if (folder.has(std::string(needed))) continue;
    return folder.wrong("", "is not a whole export: it has no " + std::string(needed) +
                                ". The export was interrupted, or some of its files were not copied; "
                                "export again, or copy all of them");
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
Outcome<DataFile> data_file(const Folder& folder, const ListedFile& listed) {
  const std::string key = std::string(data_folder_name) + "/" + std::string(without_folders(listed.key));
  if (folder.has(key)) return DataFile{key, key.ends_with(packed_ending), listed.items, listed.md5};
  const std::string unpacked = key.substr(0, key.size() - std::min<std::size_t>(3, key.size()));
  if (key.ends_with(packed_ending) && folder.has(unpacked))
    return DataFile{unpacked, false, listed.items, std::nullopt};
  return folder.wrong(key, "is missing, though manifest-files.json lists it; copy it there");
}

/// Reads one export, whose manifests are in `folder`.
Outcome<FoundTable> read_export(const Folder& folder) {
  DINETTE_TRY(const auto summary_text, read_manifest(folder, summary_name, summary_digest_name));
  const auto summary = read_summary(summary_text);
  if (!summary) return folder.wrong(summary_name, summary.error());
  DINETTE_TRY(const auto files_text, read_manifest(folder, files_name, files_digest_name));
  const auto files = read_files(files_text);
  if (!files) return folder.wrong(files_name, files.error());

  FoundTable table{folder.path(), folder.text(), summary->table_name, {}, {}, summary->items};
  std::uint64_t items = 0;
  for (const ListedFile& listed : *files) {
    DINETTE_TRY(auto file, data_file(folder, listed));
    table.files.push_back(std::move(file));
    items += listed.items;
  }
  if (items == summary->items) return table;
  return folder.wrong(files_name, "lists " + std::to_string(items) + " items, but manifest-summary.json " +
                                      std::to_string(summary->items));
}

/// Reads every export in a folder AWSDynamoDB.
Outcome<std::vector<FoundTable>> read_exports(const Folder& folder) {
  std::vector<FoundTable> tables;
  DINETTE_TRY(const Names names, folder.names());
  for (const std::string& name : names) {
    // The data of incremental exports are next to the exports.
    if (!name.ends_with('/') || name == folder_name(data_folder_name)) continue;
    DINETTE_TRY(auto table, read_export(folder.below(without_slash(name))));
    tables.push_back(std::move(table));
  }
  return tables;
}

/// Returns the files of items that are in the folder itself.
FoundTable read_files_alone(const Folder& folder, const Names& names) {
  FoundTable table{folder.path(), folder.text(), {}, {}, {}, {}};
  for (const std::string& name : names) {
    if (is_data_file(name)) table.files.push_back({name, name.ends_with(packed_ending)});
  }
  return table;
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

/// Reads a folder that is one table's, or has exports of several. Empty: it is neither.
Outcome<std::vector<FoundTable>> read_table_folder(const Folder& folder) {
  DINETTE_TRY(const Names names, folder.names());
  const bool defined = has(names, table_file_name);
  const bool exported = has(names, folder_name(exports_folder));
  const bool has_files = std::ranges::any_of(names, is_data_file);
  std::vector<FoundTable> tables;
  if (is_export(names)) {
    DINETTE_TRY(auto table, read_export(folder));
    tables.push_back(std::move(table));
  } else if (exported) {
    DINETTE_TRY(tables, read_exports(folder.below(exports_folder)));
    if (has_files)
      return Failure{folder.text() +
                     " has both an export (AWSDynamoDB) and files of items; move one of them elsewhere"};
    if (tables.empty()) return folder.wrong(exports_folder, "has no export in it");
    if (defined && tables.size() > 1)
      return Failure{folder.text() + " has several exports of one table; remove all but one, or name one: " +
                     tables.back().place};
  } else if (folder.path().filename() == exports_folder) {
    return read_exports(folder);
  } else if (has_files || defined) {
    tables.push_back(read_files_alone(folder, names));
  }
  if (defined) DINETTE_CHECK(define(tables.front(), folder));
  return tables;
}

/// Reads the folders in `folder`, each of a table.
Outcome<std::vector<FoundTable>> read_table_folders(const Folder& folder) {
  std::vector<FoundTable> tables;
  DINETTE_TRY(const Names names, folder.names());
  for (const std::string& entry : names) {
    if (!entry.ends_with('/') || entry.starts_with('.')) continue;
    const std::string name = without_slash(entry);
    DINETTE_TRY(auto found, read_table_folder(folder.below(name)));
    if (found.empty())
      return folder.wrong(name,
                          "holds no table: neither table.json, nor AWSDynamoDB, nor files of items "
                          "(*.json, *.json.gz); fill it, or remove it");
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

Outcome<FoundTables> find_tables(objects::ObjectStore& store, const fs::path& path) {
  const Folder folder(store, path);
  FoundTables found;
  DINETTE_TRY(found.tables, read_table_folder(folder));
  found.several = found.tables.size() > 1;
  if (found.tables.empty()) {
    DINETTE_TRY(found.tables, read_table_folders(folder));
    found.several = true;
  }
  if (found.tables.empty())
    return Failure{folder.text() +
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
