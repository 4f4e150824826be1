#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dinette/dynamodb/item_files/file_format.h"
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
  FileFormat format = FileFormat::export_lines;
  std::string part = {};  ///< of a file that names tables: which of them this is
};

/// A table that a folder holds.
struct FoundTable {
  std::filesystem::path folder;         ///< of its data files
  std::string place;                    ///< its folder or file, for errors
  std::string name;                     ///< empty: the folder does not say
  std::optional<TableFile> definition;  ///< none: the folder does not say how to create the table
  std::vector<DataFile> files;
  std::optional<std::uint64_t> items;      ///< as the manifest has it
  std::vector<std::string> warnings = {};  ///< what of the table is lost, as Warnings takes it
  bool is_incremental = false;             ///< its files hold changes of a table that there must be
};

/// What a folder or file holds. `several`: a folder per table, or several tables in a folder or file;
/// otherwise it is that of one table.
struct FoundTables {
  bool several = false;
  std::vector<FoundTable> tables;         ///< in the order of their folders' names
  std::vector<std::string> skipped = {};  ///< files in the folder that have no items
};

/// Returns the tables in a database (FileFormat::database), each with a file of that format and its part.
using ReadDatabase = std::function<Outcome<std::vector<FoundTable>>(const std::filesystem::path&)>;

/// Finds the tables in a folder, in a store whose buckets are folders (objects::PlainFolders), or in a file.
/// A folder may be any of these:
///
/// - a folder with one folder per table, each as follows;
/// - `table.json` or `AWSDynamoDB`, or both: what `dinette export` writes for a table, or the bucket or
///   prefix to which the service has exported;
/// - a single export, with its manifests, in DynamoDB JSON or Ion; the data files of an incremental one are
///   next to it, in `data`;
/// - `schema.json` and `data`, or the first alone: what dynamodump writes for a table;
/// - files of items (FileFormat), next to a `table.json` or alone. Files in CSV must be called *.csv, *.tsv
/// or
///   the same with .gz, since any text may be CSV.
///
/// Files are recognised by their content. Those that name tables, which are a BatchWriteItem and databases,
/// hold these; all others in a folder hold items of one table.
///
/// Reads the manifests and compares them with their digests. Fails if an export is incomplete, if a file is
/// missing, if one table has several exports, or if there is nothing to import. `read_database` may be null:
/// databases are refused.
Outcome<FoundTables> find_tables(objects::ObjectStore& store, const std::filesystem::path& path,
                                 const ReadDatabase& read_database = {});

Outcome<std::unique_ptr<objects::ObjectReader>> open_data_file(objects::ObjectStore& store,
                                                               const FoundTable& table, const DataFile& file);

/// Compares a data file with the digest in its manifest, if there is one. Reads the whole file.
Outcome<void> check_digest(objects::ObjectStore& store, const FoundTable& table, const DataFile& file);

}  // namespace dinette::dynamodb::item_files
