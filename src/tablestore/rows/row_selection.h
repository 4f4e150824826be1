#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "tablestore/api/messages.h"
#include "tablestore/filters/filter.h"
#include "tablestore/model/row.h"
#include "tablestore/request/context.h"
#include "tablestore/rows/visibility.h"

namespace dinette::tablestore {

/// What a read returns of each row: GetRow, BatchGetRow, GetRange (tablestore/rows.md section 3). Views of
/// the request's bytes, which must outlive it.
struct RowSelection {
  std::vector<std::string_view> columns = {};  ///< ascending, each once; empty: all
  std::optional<std::string_view> start_column = {};
  std::optional<std::string_view> end_column = {};  ///< exclusive
  CellVersion from = std::numeric_limits<CellVersion>::min();
  CellVersion until = std::numeric_limits<CellVersion>::max();  ///< exclusive
  std::int32_t max_versions = std::numeric_limits<std::int32_t>::max();
  std::optional<Filter> filter = {};

  bool has_column(std::string_view name) const;
};

/// The parts of the requests that a selection is made of.
struct SelectionRequest {
  const std::vector<std::string_view>& columns_to_get;
  const std::optional<api::TimeRange>& time_range;
  std::optional<std::int32_t> max_versions;
  std::optional<std::string_view> start_column;
  std::optional<std::string_view> end_column;
  std::optional<std::string_view> filter;
  bool in_batch = false;
};

/// Makes a selection, and checks it in the order of the service (tablestore/rows.md section 1).
Answer<RowSelection> read_selection(const SelectionRequest& request, const Switches& switches);

/// What a read takes of a row.
struct SelectedRow {
  bool returned = false;  ///< false if there is no row for the client
  std::size_t bytes = 0;  ///< that it has read of the row
};

/// Reduces the cells that can be seen of a row to those that are selected.
SelectedRow select(const RowSelection& selection, const PrimaryKey& key, const TableOptions& options,
                   Cells& cells);

/// Returns the capacity units of so many bytes, at least one.
std::int32_t capacity_units(std::size_t bytes);

}  // namespace dinette::tablestore
