#include "tablestore/rows/row_selection.h"

#include <algorithm>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/request/names.h"
#include "tablestore/rows/row_key.h"

namespace dinette::tablestore {
namespace {

Answer<void> read_columns(const SelectionRequest& request, const Switches& switches, RowSelection& out) {
  out.columns = request.columns_to_get;
  if (out.columns.size() > limits::columns_to_get)
    return refuse::too_many_columns_to_get(limits::columns_to_get,
                                           static_cast<std::int64_t>(out.columns.size()));
  for (const std::string_view name : out.columns) DINETTE_CHECK(check_attribute_name(name, switches));
  std::ranges::sort(out.columns);
  out.columns.erase(std::unique(out.columns.begin(), out.columns.end()), out.columns.end());
  out.start_column = request.start_column;
  out.end_column = request.end_column;
  return {};
}

Answer<void> read_specific_time(const SelectionRequest& request, bool ranges, RowSelection& out) {
  const CellVersion time = *request.time_range->specific_time;
  if (ranges && request.max_versions) return refuse::specific_time_range_and_max_versions();
  if (ranges) return refuse::specific_time_and_range();
  if (request.max_versions) return refuse::specific_time_and_max_versions();
  if (time < 0) return refuse::negative_specific_time();
  if (time >= limits::timestamp_end) return refuse::invalid_timestamp();
  out.from = time;
  out.until = time + 1;
  return {};
}

/// One of the conditions is mandatory.
Answer<void> read_versions(const SelectionRequest& request, RowSelection& out) {
  const auto& range = request.time_range;
  if (!request.max_versions && !range)
    return request.in_batch ? refuse::no_version_condition_in_batch() : refuse::no_version_condition();
  const bool ranges = range && (range->start_time || range->end_time);
  if (range && range->specific_time) return read_specific_time(request, ranges, out);
  if (range) {
    if (!range->start_time || !range->end_time) return refuse::half_time_range();
    if (*range->start_time < 0 || *range->end_time < 0) return refuse::invalid_timestamp();
    out.from = *range->start_time;
    out.until = *range->end_time;
  }
  if (!request.max_versions) return {};
  if (*request.max_versions <= 0) return refuse::invalid_max_versions(*request.max_versions);
  out.max_versions = *request.max_versions;
  return {};
}

/// Leaves the newest versions of each column that the selection has.
void keep_selected(const RowSelection& selection, Cells& cells) {
  std::size_t kept = 0;
  std::int32_t versions = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    versions = kept > 0 && cells[kept - 1].name == cell.name ? versions : 0;
    if (cell.version < selection.from || cell.version >= selection.until) continue;
    if (versions == selection.max_versions || !selection.has_column(cell.name)) continue;
    ++versions;
    if (kept != i) cells[kept] = cell;
    ++kept;
  }
  cells.resize(kept);
}

void keep_page(const ColumnPage& page, Cells& cells) {
  std::size_t column = 0;
  std::size_t kept = 0;
  std::string_view last = cells.empty() ? std::string_view() : cells.front().name;
  for (const Cell& cell : cells) {
    if (cell.name != std::exchange(last, cell.name)) ++column;
    if (column < page.offset || column - page.offset >= page.limit) continue;
    cells[kept++] = cell;
  }
  cells.resize(kept);
}

/// A row of which nothing was asked that it has is no row, unless its key was asked for.
bool is_asked_for(const RowSelection& selection, const PrimaryKey& key, const Cells& cells) {
  if (!cells.empty() || selection.columns.empty()) return true;
  return std::ranges::any_of(key, [&](const KeyColumn& column) {
    return std::ranges::binary_search(selection.columns, column.name);
  });
}

std::size_t read_bytes(const PrimaryKey& key, const Cells& cells, const TableOptions& options) {
  const std::size_t per_cell = options.max_versions > 1 || options.expires() ? sizeof(CellVersion) : 0;
  std::size_t bytes = size_of(key);
  for (const Cell& cell : cells) bytes += cell.name.size() + size_of(cell.value) + per_cell;
  return bytes;
}

}  // namespace

bool RowSelection::has_column(std::string_view name) const {
  if (start_column && name < *start_column) return false;
  if (end_column && name >= *end_column) return false;
  return columns.empty() || std::ranges::binary_search(columns, name);
}

Answer<RowSelection> read_selection(const SelectionRequest& request, const Switches& switches) {
  RowSelection selection;
  DINETTE_CHECK(read_columns(request, switches, selection));
  DINETTE_CHECK(read_versions(request, selection));
  DINETTE_TRY(selection.filter,
              Filter::read(request.filter.value_or(std::string_view()), FilterUse::read, switches));
  return selection;
}

SelectedRow select(const RowSelection& selection, const PrimaryKey& key, const TableOptions& options,
                   Cells& cells) {
  keep_selected(selection, cells);
  SelectedRow selected{.bytes = read_bytes(key, cells, options)};
  if (!is_asked_for(selection, key, cells)) return selected;
  if (selection.filter) {
    if (!selection.filter->passes(std::span(key.data(), key.size()), cells)) return selected;
    if (selection.filter->page()) keep_page(*selection.filter->page(), cells);
  }
  selected.returned = true;
  return selected;
}

std::int32_t capacity_units(std::size_t bytes) {
  const std::size_t units = (bytes + limits::capacity_unit_bytes - 1) / limits::capacity_unit_bytes;
  return static_cast<std::int32_t>(std::max<std::size_t>(units, 1));
}

}  // namespace dinette::tablestore
