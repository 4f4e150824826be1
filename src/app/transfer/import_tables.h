#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dinette/dynamodb/item_files/table_file.h"

#include "app/output_format.h"
#include "app/transfer/export_tables.h"
#include "app/transfer/open_items.h"
#include "app/transfer/transfer.h"

namespace dinette::app {

struct ImportSource {
  std::filesystem::path folder;  ///< or file
  /// Of a folder of several tables, the one to import; of a folder of one, the name to import it as; the
  /// table of files that do not say. Empty: all, as they are called.
  std::string table;
  /// Of the table to make, if the folder does not say. Empty: it does, or the table exists.
  std::vector<dynamodb::item_files::KeyAttribute> keys;
  CsvSettings csv = {};
  /// What happens to tables that it makes, and that exist.
  Existing existing = Existing::refuse;
};

/// Imports the tables of a folder or file (find_tables_to_import). Shows warnings by the transfer's progress,
/// also before an error. Tables that it makes must not exist, unless `existing` says otherwise; before the
/// first of them is made, all files are compared with their manifests. A table that fails is deleted if it
/// was made by this call; those before it stay. The error is a sentence for the user.
base::Result<std::vector<MovedTable>, std::string> import_tables(const Transfer& transfer,
                                                                 const ImportSource& source);

}  // namespace dinette::app
