#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "dinette/base/result.h"
#include "dinette/dynamodb/item_files/answers.h"
#include "dinette/dynamodb/item_files/csv_reader.h"
#include "dinette/dynamodb/item_files/found_tables.h"
#include "dinette/dynamodb/item_files/item_source.h"
#include "dinette/dynamodb/item_files/warnings.h"
#include "dinette/objects/object_store.h"

namespace dinette::app {

/// How an import reads CSV.
struct CsvSettings {
  char delimiter = '\0';  ///< '\0': as the first line of each file suggests
  dynamodb::item_files::CsvCells cells = {};
};

/// Finds the tables in a folder or file, of all formats (item_files::find_tables, LocalDataFile).
base::Result<dynamodb::item_files::FoundTables, std::string> find_tables_to_import(
    objects::ObjectStore& store, const std::filesystem::path& path);

/// Returns the keys of the table that items are for.
using ReadKeys = std::function<dynamodb::item_files::Outcome<dynamodb::item_files::KeyFacts>()>;

/// Opens the items in a file of any format. `warnings` and `store` must outlive them; `read_keys` is called
/// only for CSV. The error is a sentence for the user.
base::Result<std::unique_ptr<dynamodb::item_files::ItemSource>, std::string> open_items(
    objects::ObjectStore& store, const dynamodb::item_files::FoundTable& table,
    const dynamodb::item_files::DataFile& file, const CsvSettings& csv, const ReadKeys& read_keys,
    dynamodb::item_files::Warnings& warnings);

/// Returns the path of a file, for messages.
std::string name_of_file(const dynamodb::item_files::FoundTable& table,
                         const dynamodb::item_files::DataFile& file);

}  // namespace dinette::app
