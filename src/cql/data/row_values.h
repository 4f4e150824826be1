#pragma once

#include <forward_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cql/data/record.h"
#include "cql/schema/schema.h"

namespace dinette::cql::data {

/// Returns the value of a column with elements or fields from its living cells, as clients get it; nothing if
/// there are none. `cells`: those of the column.
std::optional<std::string> assembled(const schema::Column& column, std::span<const Cell> cells);

/// The values of a row, in the order of schema::Table::columns.
class RowValues {
 public:
  explicit RowValues(const schema::Table& table) : table_(&table) { clear(); }
  RowValues(const RowValues&) = delete;
  RowValues& operator=(const RowValues&) = delete;

  void clear();
  /// Each copies nothing: what is given must outlive the values. Cells are those that can be seen.
  void set_partition(std::span<const std::string_view> values);
  void set_row(const Row& row);
  void set_cells(const Cells& cells);
  void set(std::size_t column, std::optional<std::string_view> value) { values_[column] = value; }

  std::optional<std::string_view> value(std::size_t column) const { return values_[column]; }
  /// Returns the cell of a column without elements; null without a value.
  const Cell* cell(std::size_t column) const { return cells_[column]; }

 private:
  const schema::Table* table_;
  std::vector<std::optional<std::string_view>> values_;
  std::vector<const Cell*> cells_;
  std::forward_list<std::string> assembled_;
};

}  // namespace dinette::cql::data
