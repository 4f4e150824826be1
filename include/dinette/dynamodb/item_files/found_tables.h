#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dinette/dynamodb/item_files/objects.h"
#include "dinette/dynamodb/item_files/table_file.h"

namespace dinette::dynamodb::item_files {

/// A file of items.
struct DataFile {
  std::string key;  ///< in FoundTable::objects
  bool gzip = true;
  std::optional<std::uint64_t> items = {};  ///< as the manifest has it
  std::optional<std::string> md5 = {};      ///< base64, as the manifest has it
};

/// A table that a folder holds.
struct FoundTable {
  std::shared_ptr<const Objects> objects;
  std::string place;                    ///< the folder, for errors
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

/// Finds the tables in `folder`. It may be any of these:
///
/// - a folder with one folder per table, each as follows;
/// - `table.json` or `AWSDynamoDB`, or both: what `dinette export` writes for a table, or the bucket or
/// prefix
///   to which the service has exported;
/// - a single export, with its manifests;
/// - files `*.json` and `*.json.gz` of items, next to a `table.json` or alone.
///
/// Reads the manifests and compares them with their digests. Fails if an export is incomplete, if a file is
/// missing, if one table has several exports, or if there is nothing to import.
Outcome<FoundTables> find_tables(const std::filesystem::path& folder);

/// Compares a data file with the digest in its manifest, if there is one. Reads the whole file.
Outcome<void> check_digest(const FoundTable& table, const DataFile& file);

}  // namespace dinette::dynamodb::item_files
