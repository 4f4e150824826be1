#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dinette/dynamodb/item_files/outcome.h"
#include "dinette/dynamodb/item_files/table_file.h"
#include "dinette/objects/object_store.h"

namespace dinette::dynamodb::item_files {

/// A file of items.
struct DataFile {
  std::string key;  ///< in FoundTable::folder
  bool gzip = true;
  std::optional<std::uint64_t> items = {};  ///< as the manifest has it
  std::optional<std::string> md5 = {};      ///< base64, as the manifest has it
};

/// A table that a folder holds.
struct FoundTable {
  std::filesystem::path folder;         ///< of its data files
  std::string place;                    ///< its folder, for errors
  std::string name;                     ///< empty: the folder does not say
  std::optional<TableFile> definition;  ///< none: the folder does not say how to create the table
  std::vector<DataFile> files;
  std::optional<std::uint64_t> items;  ///< as the manifest has it
};

/// What a folder holds. `several`: a folder per table, or the exports of several tables; otherwise the folder
/// is that of one table.
struct FoundTables {
  bool several = false;
  std::vector<FoundTable> tables;  ///< in the order of their folders' names
};

/// Finds the tables in `folder`, in a store whose buckets are folders (objects::PlainFolders). It may be any
/// of these:
///
/// - a folder with one folder per table, each as follows;
/// - `table.json` or `AWSDynamoDB`, or both: what `dinette export` writes for a table, or the bucket or
///   prefix to which the service has exported;
/// - a single export, with its manifests;
/// - files `*.json` and `*.json.gz` of items, next to a `table.json` or alone.
///
/// Reads the manifests and compares them with their digests. Fails if an export is incomplete, if a file is
/// missing, if one table has several exports, or if there is nothing to import.
Outcome<FoundTables> find_tables(objects::ObjectStore& store, const std::filesystem::path& folder);

Outcome<std::unique_ptr<objects::ObjectReader>> open_data_file(objects::ObjectStore& store,
                                                               const FoundTable& table, const DataFile& file);

/// Compares a data file with the digest in its manifest, if there is one. Reads the whole file.
Outcome<void> check_digest(objects::ObjectStore& store, const FoundTable& table, const DataFile& file);

}  // namespace dinette::dynamodb::item_files
