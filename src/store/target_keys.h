#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <boost/container/small_vector.hpp>

#include "dinette/kv/engine.h"
#include "dinette/store/write.h"

#include "store/keys.h"

namespace dinette::store {

/// The targets of a write as the engine knows them: the keys to read and write, and the locks to hold. Made
/// once per write; for one row it allocates nothing.
class TargetKeys {
 public:
  /// `owner`, `targets`, their tables and keys must outlive this.
  TargetKeys(KeyOwner owner, std::span<const WriteTarget> targets);
  TargetKeys(const TargetKeys&) = delete;
  TargetKeys& operator=(const TargetKeys&) = delete;

  std::size_t size() const { return rows_.size(); }
  const EngineKey& key(std::size_t target) const { return rows_[target].key; }

  /// A lock on each target, a shared one on each table (changing or dropping a table takes it exclusively),
  /// one on each partition whose bytes are counted. The engine sorts them, so writes do not deadlock.
  std::span<const kv::Lock> locks() const { return locks_; }

  /// The keys that a write gets: the targets, the stamps of their tables, and the counters of their
  /// partitions. Not those of rows of several keys, which cursors read.
  std::span<const std::string_view> reads() const { return reads_; }
  /// Returns true if the write gets nothing else.
  bool reads_all() const { return !several_keys_; }
  /// Moves the targets out of what was read at `reads()` into `rows`, one per target.
  void take(kv::Values values, std::span<FoundRow> rows) const;

  /// Reads all targets into `rows`, one per target, as they are at one moment. Nothing is locked.
  kv::Result<void> read(const kv::Engine& engine, std::span<FoundRow> rows) const;
  /// The same under the locks.
  kv::Result<void> read(const kv::Transaction& transaction, std::span<FoundRow> rows) const;

  /// Returns the first target whose table has another version by now, or is gone. Under the locks no table
  /// changes until the commit; in an engine without locks, reading the stamps makes a change a conflict.
  kv::Result<std::optional<std::size_t>> find_changed_table(const kv::Transaction& transaction) const;

  /// Adds the partition_bytes of the changes to their partitions. If a partition would grow beyond `max`,
  /// returns the target that it has no room for; the transaction must then be abandoned.
  kv::Result<std::optional<std::size_t>> grow_partitions(kv::Transaction& transaction,
                                                         std::span<const RowChange> changes,
                                                         std::int64_t max) const;

 private:
  static constexpr std::size_t no_partition = static_cast<std::size_t>(-1);

  struct Row {
    Row(KeyOwner owner, const WriteTarget& target);

    EngineKey key;
    std::size_t partition = no_partition;  ///< in partitions_
  };
  struct Stamp {
    Stamp(std::uint8_t face, const Table& table, std::size_t target);

    EngineKey key;
    const Table* table;
    std::size_t target;  ///< the first one of that table
  };

  void add_table(const Table& table, std::size_t target);
  void add_partition(const Table& table, Row& row, std::string_view row_key);
  template <class Source>
  kv::Result<void> read_values(const Source& source, std::span<FoundRow> rows) const;
  kv::Result<void> read_keys(const kv::Reader& reader, std::span<FoundRow> rows) const;
  std::int64_t growth_of(std::size_t partition, std::span<const RowChange> changes) const;
  std::size_t first_without_room(std::size_t partition, std::span<const RowChange> changes,
                                 std::int64_t room) const;

  const KeyOwner owner_;
  const std::span<const WriteTarget> targets_;
  bool several_keys_ = false;                                ///< of any target
  boost::container::small_vector<Row, 1> rows_;              ///< one per target
  boost::container::small_vector<Stamp, 1> stamps_;          ///< one per version of a table
  boost::container::small_vector<EngineKey, 1> partitions_;  ///< where the bytes of each are counted
  boost::container::small_vector<kv::Lock, 3> locks_;
  boost::container::small_vector<std::string_view, 3> reads_;
};

}  // namespace dinette::store
