#pragma once

#include <string_view>

#include "dinette/store/scan.h"

#include "tablestore/rows/row_selection.h"
#include "tablestore/rows/stored_cells.h"
#include "tablestore/rows/visibility.h"

namespace dinette::tablestore {

/// Reads those cells of a row whose cells have keys of their own that can be seen and that a selection needs:
/// goes from column to column, past what is not needed. Returns false if all cells of the row have expired.
/// The texts of `cells` are views of what `held` holds on to.
kv::Result<bool> read_wide(const store::View& view, const store::Table& table, std::string_view row_key,
                           const RowSelection& selection, const Visibility& visibility, WideCells& held,
                           Cells& cells);

}  // namespace dinette::tablestore
