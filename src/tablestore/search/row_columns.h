#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tablestore/api/messages.h"
#include "tablestore/request/context.h"
#include "tablestore/rows/read_target.h"
#include "tablestore/search/index_schema.h"

namespace dinette::tablestore::search {

/// Reads the rows that a search returns, with the columns that are asked for. What it is made of must outlive
/// it.
class RowColumns {
 public:
  static Answer<RowColumns> read(const std::optional<api::ColumnsToGet>& asked, const IndexSchema& schema,
                                 const Switches& switches);

  /// Returns true if the table's own columns are read, beyond those of the index.
  bool beyond_index() const { return beyond_index_; }

  /// Returns the row at a key: PlainBuffer. It has at least its key.
  Answer<std::string> row(const store::View& view, base::TimePoint now, const ReadTarget& target,
                          std::string_view row_key) const;

 private:
  bool keys_only_ = false;
  bool beyond_index_ = false;
  RowSelection selection_;
};

}  // namespace dinette::tablestore::search
