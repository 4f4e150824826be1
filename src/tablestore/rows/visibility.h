#pragma once

#include <cstdint>
#include <limits>

#include "dinette/base/clock.h"

#include "tablestore/model/row.h"
#include "tablestore/model/table_meta.h"

namespace dinette::tablestore {

/// Which of the stored cells of a table can be seen at a moment: of each column the newest versions, unless
/// they have expired (tablestore/names-limits.md section 4).
struct Visibility {
  std::int32_t max_versions = 1;
  CellVersion oldest = std::numeric_limits<CellVersion>::min();  ///< earlier versions have expired

  static Visibility of(const TableOptions& options, base::TimePoint now);

  bool expired(CellVersion version) const { return version < oldest; }
};

/// A row as clients see it. The texts of the cells are views.
struct VisibleRow {
  bool exists = false;
  Cells cells = {};
};

/// Removes the cells that cannot be seen. Returns false if the row is gone: it has had cells, and all of them
/// have expired.
bool keep_visible(Cells& cells, const Visibility& visibility);

}  // namespace dinette::tablestore
