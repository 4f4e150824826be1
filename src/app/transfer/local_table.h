#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dinette/dynamodb/item_files/outcome.h"
#include "dinette/dynamodb/item_files/table_file.h"

namespace dinette::app {

/// What DynamoDB Local's data file says of a table in its row of `dm`.
struct LocalTable {
  std::string name;
  std::string info;  ///< TableInfo: JSON
  std::int64_t read_units = 0;
  std::int64_t write_units = 0;
  bool on_demand = false;
  bool protected_from_deletion = false;
  std::int64_t most_read_units = -1;   ///< per second, of on-demand tables; -1: no limit
  std::int64_t most_write_units = -1;  ///< the same
};

/// Returns how to create the table. The error message follows the table's name.
dynamodb::item_files::Outcome<dynamodb::item_files::TableFile> definition_of(const LocalTable& table);

}  // namespace dinette::app
