#include "tablestore/rows/row_write.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/plainbuffer/row_reader.h"
#include "tablestore/request/names.h"
#include "tablestore/rows/key_checks.h"
#include "tablestore/rows/row_key.h"

namespace dinette::tablestore {
namespace {

using api::OperationType;
using api::RowExistenceExpectation;

bool is_deletion(const CellChange& cell) {
  return cell.operation && *cell.operation != CellOperation::increment;
}

bool is_increment(const CellChange& cell) {
  return cell.operation == CellOperation::increment;
}

Answer<void> check_value(const CellChange& cell) {
  const Value& value = *cell.value;
  switch (value.type()) {
    case ValueType::integer:
    case ValueType::boolean:
      return {};
    case ValueType::real:
      if (std::isnan(value.as_real())) return refuse::not_a_number();
      if (std::isinf(value.as_real())) return refuse::infinity();
      return {};
    case ValueType::string:
    case ValueType::binary:
      break;
    default:
      return refuse::invalid_attribute_type(name_of(value.type()));
  }
  const std::size_t length = value.bytes().size();
  if (length <= limits::attribute_value_bytes) return {};
  return refuse::attribute_value_too_long(cell.name, limits::attribute_value_bytes,
                                          static_cast<std::int64_t>(length));
}

/// Checks the parts of a cell of an UpdateRow (tablestore/rows.md section 4).
Answer<void> check_parts_in_update(const CellChange& cell) {
  if (is_deletion(cell)) {
    if (cell.value) return refuse::value_in_deletion();
    const bool one = *cell.operation == CellOperation::delete_one_version;
    if (one && !cell.version) return refuse::no_timestamp_in_deletion();
    if (!one && cell.version) return refuse::timestamp_in_deletion();
    return {};
  }
  if (!cell.value) return refuse::missing_cell_value(cell.name);
  if (!is_increment(cell)) return {};
  if (!cell.value->is_number()) return refuse::invalid_attribute_type(name_of(cell.value->type()));
  if (cell.version) return refuse::timestamp_in_increment();
  return {};
}

Answer<void> check_cell(OperationType kind, const CellChange& cell, const PrimaryKey& key,
                        const Switches& switches) {
  DINETTE_CHECK(check_attribute_name(cell.name, switches));
  if (std::ranges::find(key, cell.name, &KeyColumn::name) != key.end())
    return refuse::attribute_named_as_key_column(cell.name);
  if (kind == OperationType::put) {
    if (cell.operation) return refuse::operation_in_put(cell.name);
    if (!cell.value) return refuse::cells_without_values_in_put();
  } else {
    DINETTE_CHECK(check_parts_in_update(cell));
  }
  if (cell.value) DINETTE_CHECK(check_value(cell));
  if (cell.version && (*cell.version < 0 || *cell.version >= limits::timestamp_end))
    return refuse::invalid_timestamp();
  return {};
}

/// Checks the columns of a write, and orders them.
Answer<void> check_cells(OperationType kind, RowMessage& row, const Switches& switches) {
  if (kind == OperationType::delete_) {
    if (!row.deletes) return refuse::no_delete_marker();
    if (!row.cells.empty()) return refuse::cells_in_delete();
    return {};
  }
  if (row.deletes) return refuse::unexpected_delete_marker();
  if (kind == OperationType::update && row.cells.empty()) return refuse::no_column_in_update();
  if (row.cells.size() > limits::written_columns)
    return refuse::too_many_attribute_columns(limits::written_columns,
                                              static_cast<std::int64_t>(row.cells.size()));
  for (const CellChange& cell : row.cells) DINETTE_CHECK(check_cell(kind, cell, row.key, switches));
  const std::size_t size = data_size(row);
  if (size > limits::row_write_bytes) {
    const auto given = static_cast<std::int64_t>(size);
    if (kind == OperationType::put) return refuse::put_too_large(limits::row_write_bytes, given);
    return refuse::update_too_large(limits::row_write_bytes, given);
  }
  if (!std::ranges::is_sorted(row.cells, {}, &CellChange::name))
    std::ranges::stable_sort(row.cells, {}, &CellChange::name);
  return {};
}

/// A column may not be put and incremented at once.
Answer<void> check_increments(const RowMessage& row) {
  for (std::size_t i = 1; i < row.cells.size(); ++i) {
    const CellChange& cell = row.cells[i];
    if (cell.name == row.cells[i - 1].name && is_increment(cell) != is_increment(row.cells[i - 1]))
      return refuse::duplicate_column_in_update(cell.name);
  }
  return {};
}

/// The names of an RT_AFTER_MODIFY must be of columns that are incremented (tablestore/rows.md section 5).
Answer<void> read_returns(const std::optional<api::ReturnContent>& returns, RowWrite& write) {
  if (!returns) return {};
  write.returns = returns->return_type.value_or(api::ReturnType::rt_none);
  write.returned_columns = returns->return_column_names;
  if (write.returned_columns.empty()) return {};
  if (write.returns != api::ReturnType::rt_after_modify)
    return refuse::returned_column_not_incremented(write.returned_columns.front());
  for (const std::string_view name : write.returned_columns) {
    const auto begin = std::ranges::lower_bound(write.row.cells, name, {}, &CellChange::name);
    const auto end = std::ranges::upper_bound(begin, write.row.cells.end(), name, {}, &CellChange::name);
    if (std::none_of(begin, end, is_increment)) return refuse::returned_column_not_incremented(name);
  }
  return {};
}

/// Checks a new row whose number the service chooses (tablestore/tables.md section 7).
Answer<void> check_auto_increment(const RowWrite& write) {
  const auto is_placeholder = [](const KeyColumn& column) {
    return column.value.type() == ValueType::auto_increment;
  };
  const auto count = std::ranges::count_if(write.row.key, is_placeholder);
  if (count == 0) return {};
  if (count > 1) return refuse::several_auto_increments_in_row(count);
  if (write.expectation != RowExistenceExpectation::ignore)
    return refuse::expectation_with_auto_increment(to_string(write.expectation));
  if (write.condition) return refuse::condition_with_auto_increment();
  return {};
}

/// Checks that a version may be written now (tablestore/names-limits.md section 4).
Answer<void> check_deviation(const CellChange& cell, const TableOptions& options, base::TimePoint now) {
  const auto present = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  const std::int64_t second = *cell.version / 1000;
  const bool too_old =
      second < present - options.max_deviation || Visibility::of(options, now).expired(*cell.version);
  if (too_old || second >= present + options.max_deviation)
    return refuse::timestamp_out_of_deviation(cell.name);
  return {};
}

/// Returns the place of a version among those of its column, which are newest first.
Cells::iterator find_version(Cells& versions, CellVersion version) {
  return std::ranges::lower_bound(versions, version, std::greater<>(), &Cell::version);
}

/// Puts a cell in its place among the versions of its column; replaces one of the same version.
void put_version(Cells& versions, const Cell& cell) {
  const auto place = find_version(versions, cell.version);
  if (place != versions.end() && place->version == cell.version)
    *place = cell;
  else
    versions.insert(place, cell);
}

void erase_version(Cells& versions, CellVersion version) {
  const auto place = find_version(versions, version);
  if (place != versions.end() && place->version == version) versions.erase(place);
}

Answer<Value> sum_of(const std::string_view column, const Value* base, const Value& operand) {
  if (base != nullptr && base->type() != operand.type()) return refuse::mismatched_increment(column);
  if (operand.type() == ValueType::real) {
    const double sum = (base != nullptr ? base->as_real() : 0) + operand.as_real();
    if (std::isinf(sum)) return refuse::increment_overflow(column);
    return Value::real(sum);
  }
  std::int64_t sum = 0;
  if (__builtin_add_overflow(base != nullptr ? base->as_integer() : 0, operand.as_integer(), &sum))
    return refuse::increment_overflow(column);
  return Value::integer(sum);
}

/// Applies the changes of one column to its versions, newest first.
Answer<void> change_column(std::span<const CellChange> changes, CellVersion now, Cells& versions,
                           Cells& incremented) {
  for (const CellChange& change : changes) {
    if (!change.operation) {
      put_version(versions, {change.name, change.version.value_or(now), *change.value});
      continue;
    }
    switch (*change.operation) {
      case CellOperation::delete_all_versions:
        versions.clear();
        break;
      case CellOperation::delete_one_version:
        erase_version(versions, *change.version);
        break;
      case CellOperation::increment: {
        const Value* const base = versions.empty() ? nullptr : &versions.front().value;
        DINETTE_TRY(const Value sum, sum_of(change.name, base, *change.value));
        put_version(versions, {change.name, now, sum});
        if (!incremented.empty() && incremented.back().name == change.name) incremented.pop_back();
        incremented.push_back({change.name, now, sum});
        break;
      }
    }
  }
  return {};
}

/// Returns the changes of the first column of `changes`.
std::span<const CellChange> first_column(std::span<const CellChange> changes) {
  const auto other = [&](const CellChange& change) { return change.name != changes.front().name; };
  const auto end = std::ranges::find_if(changes, other);
  return changes.first(static_cast<std::size_t>(end - changes.begin()));
}

/// Applies the changes of a row to the cells that it has, column by column. Both are ordered by name.
Answer<void> change_cells(std::span<const CellChange> changes, std::span<const Cell> before, CellVersion now,
                          RowAfter& after) {
  Cells& out = after.row.cells;
  out.reserve(before.size() + changes.size());
  Cells versions;
  auto cell = before.begin();
  while (!changes.empty()) {
    const std::span<const CellChange> column = first_column(changes);
    changes = changes.subspan(column.size());
    for (; cell != before.end() && cell->name < column.front().name; ++cell) out.push_back(*cell);
    versions.clear();
    for (; cell != before.end() && cell->name == column.front().name; ++cell) versions.push_back(*cell);
    DINETTE_CHECK(change_column(column, now, versions, after.incremented));
    out.insert(out.end(), versions.begin(), versions.end());
  }
  out.insert(out.end(), cell, before.end());
  return {};
}

bool meets_expectation(RowExistenceExpectation expectation, bool exists) {
  return expectation == RowExistenceExpectation::ignore ||
         exists == (expectation == RowExistenceExpectation::expect_exist);
}

/// Checks the row that is there: its existence first (tablestore/rows.md section 7).
bool meets_condition(const RowWrite& write, const VisibleRow& before) {
  if (!meets_expectation(write.expectation, before.exists)) return false;
  if (!write.condition) return true;
  const std::span<const KeyColumn> key(write.row.key.data(), before.exists ? write.row.key.size() : 0);
  return write.condition->passes(key, before.cells);
}

}  // namespace

Answer<RowWrite> read_row_write(OperationType kind, std::string_view row, const api::Condition& condition,
                                const std::optional<api::ReturnContent>& returns, const Switches& switches) {
  DINETTE_TRY(RowMessage message, plainbuffer::decode_row(row));
  return check_row_write(kind, std::move(message), condition, returns, switches);
}

Answer<RowWrite> check_row_write(OperationType kind, RowMessage row, const api::Condition& condition,
                                 const std::optional<api::ReturnContent>& returns, const Switches& switches) {
  const bool removes = kind == OperationType::delete_;
  DINETTE_CHECK(check_key(row.key, removes ? KeyUse::removal : KeyUse::write, limits::primary_key_columns));
  DINETTE_CHECK(check_cells(kind, row, switches));
  DINETTE_CHECK(check_increments(row));
  RowWrite write{.kind = kind, .row = std::move(row), .expectation = condition.row_existence};
  DINETTE_TRY(write.condition, Filter::read(condition.column_condition.value_or(std::string_view()),
                                            FilterUse::condition, switches));
  DINETTE_CHECK(read_returns(returns, write));
  DINETTE_CHECK(check_auto_increment(write));
  return write;
}

Answer<void> check_fits(const RowWrite& write, const TableMeta& table, base::TimePoint now) {
  DINETTE_CHECK(check_key_fits(write.row.key, table.key));
  if (write.kind == OperationType::update && !table.options.allow_update) return refuse::update_not_allowed();
  if (table.auto_increment_column() && write.kind == OperationType::put &&
      write.expectation == RowExistenceExpectation::expect_not_exist)
    return refuse::expectation_for_auto_increment_table(to_string(write.expectation));
  for (const CellChange& cell : write.row.cells) {
    if (!cell.version || is_deletion(cell)) continue;
    if (!table.indexes.empty()) return refuse::timestamp_in_indexed_table();
    DINETTE_CHECK(check_deviation(cell, table.options, now));
  }
  return {};
}

std::size_t data_size(const RowMessage& row) {
  std::size_t size = size_of(row.key);
  for (const CellChange& cell : row.cells) {
    size += cell.name.size();
    if (cell.value) size += size_of(*cell.value);
    if (cell.version) size += sizeof(CellVersion);
  }
  return size;
}

Answer<RowAfter> apply(const RowWrite& write, const VisibleRow& before, const Visibility& visibility,
                       CellVersion now) {
  if (!meets_condition(write, before)) return refuse::condition_failed();
  RowAfter after;
  if (write.kind == OperationType::delete_) return after;
  const bool replaces = write.kind == OperationType::put;
  // Deletions alone make no row (tablestore/rows.md section 4).
  after.row.exists = replaces || before.exists || !std::ranges::all_of(write.row.cells, is_deletion);
  const std::span<const Cell> kept = replaces ? std::span<const Cell>() : std::span(before.cells);
  DINETTE_CHECK(change_cells(write.row.cells, kept, now, after));
  keep_visible(after.row.cells, visibility);
  return after;
}

CellVersion version_at(base::TimePoint now) {
  return std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()).count();
}

}  // namespace dinette::tablestore
