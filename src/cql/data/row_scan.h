#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/cql/row_size.h"
#include "dinette/store/store.h"

#include "cql/data/read_units.h"
#include "cql/data/record.h"
#include "cql/data/row_key.h"
#include "cql/schema/schema.h"

namespace dinette::cql::data {

/// Rows of a partition: parts of keys that follow rows_prefix().
struct Slice {
  store::KeyRange range{};
  bool is_row = false;  ///< the range is that of one row, whose part of the key is its beginning
};

/// What is read of a partition.
struct PartitionRead {
  std::string prefix{};
  std::vector<Slice> slices{};  ///< disjoint, in the order of the direction
  store::Direction direction = store::Direction::forward;
  /// Ends with the static cells if there are no rows.
  bool with_statics = false;
};

/// Where a reader is, from which a later one continues: a key, and what is known of its partition.
struct ReadPosition {
  std::string key{};
  bool found_rows = false;  ///< of the partition
};

/// What a scan reads, and when.
struct ScanSource {
  const store::View* view;
  const store::Table* stored;
  const schema::Table* table;
  Seconds now;
  SizeFormula sizes = SizeFormula::earlier;
};

/// Walks the rows that can be seen, of one partition or of several whole ones. Belongs to one thread; what it
/// was made of must outlive it.
class RowScan {
 public:
  /// Reads a partition. `after`: where an earlier scan of it ended.
  static kv::Result<RowScan> of_partition(const ScanSource& source, PartitionRead read,
                                          const ReadPosition* after);
  /// Reads all partitions in a range of keys.
  static kv::Result<RowScan> of_partitions(const ScanSource& source, const store::KeyRange& range,
                                           const ReadPosition* after);

  /// Moves to the first row, then from row to row. Returns false at the end.
  kv::Result<bool> next();

  /// The row, until the next move. Without a row these are the static cells of a partition in which no row
  /// was found.
  bool has_row() const { return has_row_; }
  const Row& row() const { return row_; }
  const Cells& statics() const { return partition_.statics; }
  const std::vector<std::string_view>& partition() const { return key_->partition; }
  /// The beginning of the keys of its partition.
  const std::string& prefix() const { return prefix_; }
  /// How many partitions were begun, with that of the row.
  std::uint64_t partitions() const { return partitions_; }
  ReadPosition position() const { return {position_, found_rows_}; }

  /// The records read so far, also of what cannot be seen.
  std::size_t records_read() const { return records_read_; }
  std::size_t bytes_read() const { return bytes_read_; }
  /// The units that they cost, with one for each storage partition that the scan has passed and that has no
  /// rows.
  std::uint64_t units() const { return units_.units(); }
  /// The size of the row as it is stored, also of what of it cannot be seen.
  std::size_t row_bytes() const { return row_bytes_; }

  /// Skips the rest of the partition of the row.
  void skip_partition() { skipping_ = true; }

 private:
  explicit RowScan(const ScanSource& source)
      : view_(source.view),
        stored_(source.stored),
        table_(source.table),
        now_(source.now),
        units_(*source.table, source.sizes) {}

  /// Moves to the next record, which is then at record_key_. Returns false at the end.
  kv::Result<bool> next_record();
  kv::Result<bool> next_of_slice();
  kv::Result<void> begin_partition(std::string_view key);
  /// Returns true if the static cells of the partition that has ended are to be seen as a row.
  bool end_partition();
  /// Takes the record. Returns true if it is a row that can be seen.
  kv::Result<bool> take_record();
  kv::Result<void> take_partition(kv::Value value);
  void count(std::string_view key, std::string_view value);
  /// Of several partitions: counts the storage partitions before one, and from now on those after it.
  void pass_storage_partitions(std::uint64_t next);

  const store::View* view_;
  const store::Table* stored_;
  const schema::Table* table_;
  Seconds now_;
  ReadUnits units_;
  bool one_partition_ = false;
  bool with_statics_ = true;
  std::vector<Slice> slices_{};  ///< of one partition, as whole keys; those that are left
  store::Direction direction_ = store::Direction::forward;
  std::optional<store::RowCursor> cursor_{};
  std::uint64_t storage_partition_ = 0;  ///< the first one that the scan has not begun
  std::uint64_t end_of_storage_ = 0;     ///< the one after the last that it reads whole
  std::string record_key_{};
  kv::Value record_{};
  bool pending_ = false;  ///< the record was not taken yet
  bool skipping_ = false;
  bool in_partition_ = false;
  std::uint64_t partitions_ = 0;
  std::string prefix_{};  ///< of the partition that is being read
  bool found_rows_ = false;
  /// At a place of its own: it has views of itself, and a scan may be moved.
  std::unique_ptr<ReadKey> key_ = std::make_unique<ReadKey>();
  std::string position_{};
  kv::Value partition_value_{};
  Partition partition_{};
  kv::Value row_value_{};
  Row row_{};
  bool has_row_ = false;
  std::size_t records_read_ = 0;
  std::size_t bytes_read_ = 0;
  std::size_t row_bytes_ = 0;
};

}  // namespace dinette::cql::data
