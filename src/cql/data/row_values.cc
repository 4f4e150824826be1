#include "cql/data/row_values.h"

#include <utility>

#include "dinette/base/bytes.h"

namespace dinette::cql::data {
namespace {

void append_part(std::string& out, std::string_view part) {
  base::append_big_endian(out, static_cast<std::uint32_t>(part.size()));
  out += part;
}

/// The fields by their numbers; null for those without a cell.
std::string assembled_fields(std::size_t fields, std::span<const Cell> cells) {
  std::string out;
  auto cell = cells.begin();
  for (std::size_t field = 0; field < fields; ++field) {
    const bool found = cell != cells.end() && cell->path.size() == 2 &&
                       base::load_big_endian<std::uint16_t>(cell->path.data()) == field;
    if (!found) {
      base::append_big_endian(out, ~std::uint32_t{0});
      continue;
    }
    append_part(out, cell->value);
    ++cell;
  }
  return out;
}

}  // namespace

std::optional<std::string> assembled(const schema::Column& column, std::span<const Cell> cells) {
  if (cells.empty()) return std::nullopt;
  if (column.type.kind == Kind::udt) return assembled_fields(column.type.arguments.size(), cells);
  std::string out;
  base::append_big_endian(out, static_cast<std::uint32_t>(cells.size()));
  for (const Cell& cell : cells) {
    if (column.type.kind != Kind::list) append_part(out, cell.key);
    if (column.type.kind != Kind::set) append_part(out, cell.value);
  }
  return out;
}

void RowValues::clear() {
  values_.assign(table_->columns.size(), std::nullopt);
  cells_.assign(table_->columns.size(), nullptr);
  assembled_.clear();
}

void RowValues::set_partition(std::span<const std::string_view> values) {
  for (std::size_t i = 0; i < values.size(); ++i) values_[i] = values[i];
}

void RowValues::set_row(const Row& row) {
  const std::size_t first = table_->partition_key_size();
  for (std::size_t i = 0; i < row.clustering.size(); ++i) values_[first + i] = row.clustering[i];
  set_cells(row.cells);
}

void RowValues::set_cells(const Cells& cells) {
  for (std::size_t first = 0; first < cells.size();) {
    std::size_t end = first + 1;
    while (end < cells.size() && cells[end].column == cells[first].column) ++end;
    // A column that was dropped may have cells still.
    const schema::Column* const column = table_->find_column(cells[first].column);
    if (column != nullptr) {
      const auto place = static_cast<std::size_t>(column - table_->columns.data());
      if (column->has_parts()) {
        auto value = assembled(*column, std::span(cells).subspan(first, end - first));
        values_[place] = assembled_.emplace_front(*std::move(value));
      } else {
        values_[place] = cells[first].value;
        cells_[place] = &cells[first];
      }
    }
    first = end;
  }
}

}  // namespace dinette::cql::data
