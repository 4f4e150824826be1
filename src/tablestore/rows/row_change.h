#pragma once

#include <string_view>

#include "dinette/store/row.h"

#include "tablestore/rows/stored_row.h"
#include "tablestore/rows/visibility.h"

namespace dinette::tablestore {

/// Returns true if so many cells of a wide row cannot be seen that the next write removes them: it must read
/// the row whole then. The cost is that of a few cells per write.
bool must_be_trimmed(const WideRow& row);

/// Returns what a wide row says of itself that has exactly these cells, none of which is to be removed.
WideRow wide_row_of(const Cells& cells);

/// Returns the change that makes a stored row what a write has made of it: packed while it is small, with a
/// key per cell when it is large. `after` has all cells if `replaced`, or if `before` is complete; else those
/// of the columns that `before` has.
store::RowChange change_of(std::string_view row_key, const StoredRow& before, const VisibleRow& after,
                           bool replaced);

}  // namespace dinette::tablestore
