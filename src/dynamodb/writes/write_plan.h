#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "dinette/store/row.h"

#include "dynamodb/indexes/index_entry.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// What an index holds of an item before a write and after it: one of them at least.
struct IndexPlan {
  const IndexSchema* index;
  std::optional<IndexEntry> before;
  std::optional<IndexEntry> after;
  bool same_records = false;  ///< there are both, and they say the same

  /// Returns true if the entry is new, is removed, or gets another key.
  bool moves() const { return !before || !after || before->key != after->key; }
  /// Returns true if the index is the same after the write.
  bool changes_nothing() const { return !moves() && same_records; }
};

/// A write of one item, worked out: what capacity is charged by, and what the store is to do. Of an item that
/// did not exist and will not exist it is empty.
struct WritePlan {
  std::size_t before_size = 0;  ///< as the service counts it; 0 for no item
  std::size_t after_size = 0;
  std::size_t charged_size = 0;    ///< what the write of the table is charged by
  std::vector<IndexPlan> indexes;  ///< by name, ascending, without those that the item is never in

  /// Row, index entries and counters, to be committed together.
  store::RowChange change;
};

/// `schema` must outlive the result.
WritePlan plan_write(const TableSchema& schema, const ItemImage& before, const ItemImage& after);

}  // namespace dinette::dynamodb
