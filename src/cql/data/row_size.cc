#include "cql/data/row_size.h"

#include <algorithm>

#include "cql/data/current_size.h"

namespace dinette::cql {
namespace {

constexpr std::size_t bytes_per_read_unit = 4096;
constexpr std::size_t bytes_per_write_unit = 1024;

}  // namespace

// docs/service-keyspaces/capacity.md section 1.
std::uint64_t read_units(std::size_t bytes) {
  return (bytes + bytes_per_read_unit - 1) / bytes_per_read_unit;
}

std::uint64_t write_units(std::size_t bytes) {
  return std::max<std::uint64_t>((bytes + bytes_per_write_unit - 1) / bytes_per_write_unit, 1);
}

}  // namespace dinette::cql

namespace dinette::cql::data {
namespace {

constexpr std::size_t partition_column_metadata = 3;
constexpr std::size_t clustering_column_metadata = 4;
constexpr std::size_t row_metadata = 100;
constexpr std::size_t static_metadata = 104;
/// Of a value of a table with client-side timestamps or times to live.
constexpr std::size_t timestamp_metadata = 20;
/// Of a part of a collection that is not frozen.
constexpr std::size_t length_size = 4;

std::size_t partition_size(std::span<const std::string_view> partition) {
  std::size_t size = 0;
  for (const std::string_view value : partition) size += value.size() + partition_column_metadata;
  return size;
}

std::size_t clustering_size(const Row& row) {
  std::size_t size = 0;
  for (const std::string_view value : row.clustering) size += value.size() + clustering_column_metadata;
  return size;
}

/// Returns true of an entry of a map, whose key and value have a length each. Without the table, which
/// tables' counts of bytes do not need, one of which either is empty is taken for an element of a list or a
/// set.
bool is_entry(const schema::Table* table, const Cell& cell) {
  const schema::Column* const column = table != nullptr ? table->find_column(cell.column) : nullptr;
  if (column == nullptr) return !cell.key.empty() && !cell.value.empty();
  return column->type.kind == Kind::map && cell.kind == Cell::Kind::value;
}

std::size_t cells_size(const Cells& cells, const schema::Table* table = nullptr) {
  std::size_t size = 0;
  for (const Cell& cell : cells) {
    size += cell.key.size() + cell.value.size();
    if (!cell.path.empty()) size += length_size * (is_entry(table, cell) ? 2 : 1);
  }
  return size;
}

std::size_t timestamps_size(const schema::Table& table, const Cells& cells) {
  const schema::TableOptions& options = table.options;
  return options.client_side_timestamps || options.time_to_live ? timestamp_metadata * cells.size() : 0;
}

}  // namespace

std::size_t counted_size(std::span<const std::string_view> partition, const Row& row) {
  return row_metadata + partition_size(partition) + clustering_size(row) + cells_size(row.cells);
}

std::size_t counted_static_size(std::span<const std::string_view> partition, const Cells& statics) {
  if (statics.empty()) return 0;
  return static_metadata + partition_size(partition) + cells_size(statics);
}

RowSize row_size(const schema::Table& table, SizeFormula formula, std::span<const std::string_view> partition,
                 const Row& row) {
  if (formula == SizeFormula::current) return current_row_size(table, partition, row);
  return {.partition_key = partition_size(partition),
          .clustering = clustering_size(row),
          .values = cells_size(row.cells, &table),
          .timestamps = timestamps_size(table, row.cells),
          .row = row_metadata};
}

RowSize static_size(const schema::Table& table, std::span<const std::string_view> partition,
                    const Cells& statics) {
  if (statics.empty()) return {};
  return {.partition_key = partition_size(partition),
          .values = cells_size(statics, &table),
          .timestamps = timestamps_size(table, statics),
          .row = static_metadata};
}

}  // namespace dinette::cql::data
