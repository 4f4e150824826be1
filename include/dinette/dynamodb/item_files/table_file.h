#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/dynamodb/item_files/outcome.h"

namespace dinette::dynamodb::item_files {

/// The name of the file from which a table can be created again. It has one request per operation:
/// `{"CreateTable": {...}, "UpdateTable": {...}, "UpdateTimeToLive": {...}}`. The first creates the table;
/// the others, which may be missing, are sent when it has its items, so that these are not in its stream.
inline constexpr std::string_view table_file_name = "table.json";

/// The outputs of operations on a table, as JSON.
struct TableAnswers {
  std::string_view describe_table;
  std::string_view describe_time_to_live;     ///< empty: not known
  std::vector<std::string> tags_of_resource;  ///< one per page
};

/// Returns the contents of a table's file, indented for readability.
Outcome<std::string> table_file_text(const TableAnswers& answers);

/// The requests of a table's file, as JSON.
struct TableFile {
  std::string table_name;
  std::string create_table;
  std::optional<std::string> update_table;
  std::optional<std::string> update_time_to_live;
};

/// Reads a table's file. The error message follows the file's name.
Outcome<TableFile> read_table_file(std::string_view text);

struct KeyAttribute {
  std::string name;
  char type = 'S';  ///< S, N or B
};

/// Returns the requests for an on-demand table that has only keys: the partition key, and optionally a sort
/// key.
TableFile table_of_keys(std::string_view table_name, const std::vector<KeyAttribute>& keys);

/// Returns the same for a table of another name.
TableFile renamed(const TableFile& file, std::string_view table_name);

}  // namespace dinette::dynamodb::item_files
