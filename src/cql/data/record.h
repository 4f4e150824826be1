#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/error.h"
#include "dinette/kv/value.h"
#include "dinette/store/placement.h"

#include "cql/data/cell.h"

/// Records of rows and of partitions as the store keeps them (src/cql/FORMAT.md, Rows).
namespace dinette::cql::data {

/// A row of a table, whose views are of its record or of what was written to it.
struct Row {
  std::vector<std::string_view> clustering{};  ///< values, as clients sent them
  std::optional<Stamp> marker{};               ///< left by INSERT
  Deletion deletion{};
  Cells cells{};

  bool empty() const { return !marker && !deletion.exists() && cells.empty(); }
};

/// A range of rows of a partition that was deleted.
struct RangeTombstone {
  store::KeyRange range{};  ///< of the part of row keys that follows the partition's
  Deletion deletion{};
};

/// What a partition has besides rows.
struct Partition {
  Deletion deletion{};
  std::vector<RangeTombstone> ranges{};
  Cells statics{};

  bool empty() const { return !deletion.exists() && ranges.empty() && statics.empty(); }
  /// Returns the latest deletion of the row at this part of a key.
  Deletion deletion_of(std::string_view row) const;
};

kv::Value encode(const Row& row);
kv::Value encode(const Partition& partition);

/// Fail with ErrorKind::corrupt. Views are of `bytes`, which must outlive what is returned.
kv::Result<Row> decode_row(std::string_view bytes);
kv::Result<Partition> decode_partition(std::string_view bytes);

}  // namespace dinette::cql::data
