#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "dinette/cql/row_size.h"

#include "cql/data/record.h"
#include "cql/schema/schema.h"

namespace dinette::cql::data {

/// Counts what a read consumes (docs/service-keyspaces/capacity.md section 2): each row for itself, the
/// static cells of a partition together with the first row that is read of it, or alone if there is none.
/// Everything is counted as it is stored, also what of it cannot be seen. The table must outlive it.
class ReadUnits {
 public:
  ReadUnits(const schema::Table& table, SizeFormula sizes) : table_(&table), sizes_(sizes) {}

  /// Begins a partition: static cells of another one that were not counted yet no longer matter.
  void begin_partition() { static_bytes_ = 0; }
  /// Takes the static cells of the partition. `partition`: the values of its key.
  void add_statics(std::span<const std::string_view> partition, const Cells& statics);
  /// Counts a row. Returns the bytes that it has in storage.
  std::size_t add_row(std::span<const std::string_view> partition, const Row& row);
  /// Counts static cells that no row was counted with.
  void end_partition();
  /// Counts storage partitions in which nothing was found.
  void add_empty(std::uint64_t storage_partitions) { units_ += storage_partitions; }

  std::uint64_t units() const { return units_; }

 private:
  const schema::Table* table_;
  SizeFormula sizes_;
  std::size_t static_bytes_ = 0;  ///< metered; 0 once they are counted
  std::uint64_t units_ = 0;
};

}  // namespace dinette::cql::data
