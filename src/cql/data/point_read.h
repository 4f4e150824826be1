#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "cql/data/row_scan.h"

namespace dinette::cql::data {

/// A row that was read by its whole key. Its views are of it: it is not copied.
class PointRead {
 public:
  PointRead() = default;
  PointRead(const PointRead&) = delete;
  PointRead& operator=(const PointRead&) = delete;

  /// Reads it. `partition` are the values of the partition key, which must outlive it, `prefix` is
  /// partition_prefix() of them, and `key_part` clustering_part() of the others.
  kv::Result<void> read(const ScanSource& source, std::span<const std::string_view> partition,
                        std::string prefix, std::string_view key_part);

  /// Returns true if it can be seen.
  bool found() const { return found_; }
  const Row& row() const { return row_; }
  const Cells& statics() const { return partition_.statics; }
  /// As RowScan::units() and RowScan::row_bytes().
  std::uint64_t units() const { return units_; }
  std::size_t row_bytes() const { return row_bytes_; }

 private:
  kv::Value partition_value_{};
  Partition partition_{};
  kv::Value row_value_{};
  Row row_{};
  bool found_ = false;
  std::uint64_t units_ = 0;
  std::size_t row_bytes_ = 0;
};

}  // namespace dinette::cql::data
