#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tablestore/api/enums.h"
#include "tablestore/api/messages.h"
#include "tablestore/filters/filter.h"
#include "tablestore/model/row.h"
#include "tablestore/model/table_meta.h"
#include "tablestore/request/context.h"
#include "tablestore/rows/visibility.h"

namespace dinette::tablestore {

/// What a request does to one row: PutRow, UpdateRow, DeleteRow, and the rows of a BatchWriteRow. Views of
/// the request's bytes, which must outlive it.
struct RowWrite {
  api::OperationType kind = api::OperationType::put;
  /// The cells are ordered by name; those of one column are in the order in which they were sent.
  RowMessage row;
  api::RowExistenceExpectation expectation = api::RowExistenceExpectation::ignore;
  std::optional<Filter> condition = {};
  api::ReturnType returns = api::ReturnType::rt_none;
  std::vector<std::string_view> returned_columns =
      {};                   ///< of rt_after_modify; empty: all that are incremented
  std::uint32_t place = 0;  ///< among the writes of its request
};

/// Makes one of what was sent, and checks all that needs no table, in the order of the service
/// (tablestore/rows.md section 1).
Answer<RowWrite> read_row_write(api::OperationType kind, std::string_view row,
                                const api::Condition& condition,
                                const std::optional<api::ReturnContent>& returns, const Switches& switches);
/// The same of a row that is decoded already.
Answer<RowWrite> check_row_write(api::OperationType kind, RowMessage row, const api::Condition& condition,
                                 const std::optional<api::ReturnContent>& returns, const Switches& switches);

/// Checks the rest: that the table has such rows, and takes such versions now.
Answer<void> check_fits(const RowWrite& write, const TableMeta& table, base::TimePoint now);

/// Returns the bytes of a write: those of the key, of the names and values of cells, and of the versions that
/// the client gave (tablestore/names-limits.md section 2).
std::size_t data_size(const RowMessage& row);

/// What a write has made of a row.
struct RowAfter {
  VisibleRow row = {};
  Cells incremented = {};  ///< the new cells, by name
};

/// Carries out a write, or returns why the row stays as it is. `before` is what can be seen of the row: all
/// of its cells, or all of those columns that the write and its condition name. What is returned has views of
/// it, and of the write.
Answer<RowAfter> apply(const RowWrite& write, const VisibleRow& before, const Visibility& visibility,
                       CellVersion now);

/// Returns the version that cells without one get: the milliseconds of a moment.
CellVersion version_at(base::TimePoint now);

}  // namespace dinette::tablestore
