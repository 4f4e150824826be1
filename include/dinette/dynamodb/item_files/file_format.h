#pragma once

#include <optional>

#include "dinette/dynamodb/item_files/outcome.h"
#include "dinette/objects/object_store.h"

namespace dinette::dynamodb::item_files {

/// What a file of items is, by its content.
enum class FileFormat {
  export_lines,  ///< `{"Item": {...}}`, one after the other: ItemReader
  ion,           ///< the same in Amazon Ion: IonReader
  plain_json,    ///< plain_json_items
  scan_pages,    ///< scan_page_items
  batch_write,   ///< batch_items
  batch_get,     ///< likewise
  csv,           ///< any other text: CsvReader
  database,      ///< SQLite, of which DynamoDB Local makes its data file
};

struct RecognisedFile {
  FileFormat format{};
  bool gzip = false;
};

/// Recognises a file by its content, of which it reads at most the first object, up to 16 MB. Returns nothing
/// for empty and binary files. Fails for archives and others of which it is known how to make what can be
/// read, and for definitions of tables: the error message follows the file's name. Leaves `file` anywhere.
Outcome<std::optional<RecognisedFile>> recognise(objects::ObjectReader& file);

}  // namespace dinette::dynamodb::item_files
