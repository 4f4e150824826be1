#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/kv/commit_position.h"
#include "dinette/kv/engine.h"
#include "dinette/store/placement.h"
#include "dinette/store/row.h"

namespace dinette::store {

/// Walks the keys of a range of one area, in order. Belongs to one thread at a time. The cost depends on the
/// keys walked over, not on the size of the partition or the table.
class RowCursor {
 public:
  /// `prefix`: what the engine's keys have before those of this area.
  RowCursor(std::unique_ptr<kv::Cursor> cursor, std::string_view prefix, Direction direction)
      : cursor_(std::move(cursor)), prefix_(prefix), direction_(direction) {}

  /// Moves to the first entry, then from entry to entry. Returns false at the end.
  kv::Result<bool> next();

  /// Moves to `key`, or, if there is no such entry in the range, to the next one in the direction of the
  /// cursor. It may be moved either way. Returns false at the end.
  ///
  ///     auto cells = view.scan(table, Area::rows(), row, Direction::forward).value();
  ///     cells.seek(newest_version_of("a")).value();  // skips what precedes it, however much that is
  kv::Result<bool> seek(std::string_view key);

  /// The key and the value of the entry, until the next move. The key is as placement.h builds it.
  std::string_view key() const { return cursor_->key().substr(prefix_.size()); }
  std::string_view value() const { return cursor_->value(); }
  /// Returns the value to keep.
  kv::Value shared_value() const { return cursor_->shared_value(); }

 private:
  std::unique_ptr<kv::Cursor> cursor_;
  std::string prefix_;
  Direction direction_;
  bool started_ = false;
};

/// Walks the records of a stream. Belongs to one thread at a time.
class StreamCursor {
 public:
  explicit StreamCursor(RowCursor cursor) : cursor_(std::move(cursor)) {}

  /// Moves to the first record, then from record to record. Returns false at the end.
  kv::Result<bool> next() { return cursor_.next(); }

  /// The position and the record, until the next move.
  StreamPosition position() const { return StreamPosition::at_end_of(cursor_.key()); }
  std::string_view record() const { return cursor_.value(); }
  /// Returns the record to keep.
  kv::Value shared_record() const { return cursor_.shared_value(); }

 private:
  RowCursor cursor_;
};

/// How much one page may examine and return. Zero means no bound.
struct ScanLimits {
  std::size_t rows_looked_at = 0;
  std::size_t bytes_looked_at = 0;  ///< as the face counts a row
  std::size_t rows_returned = 0;
};

class PastChanges;
class PastRows;
struct PastMoment;

/// Counts what a page uses of its limits.
class ScanBudget {
 public:
  explicit ScanBudget(ScanLimits limits) : limits_(limits) {}

  void look_at(std::size_t bytes) {
    ++spent_.rows_looked_at;
    spent_.bytes_looked_at += bytes;
  }
  void return_row() { ++spent_.rows_returned; }

  /// Returns true if a limit has been reached. The row that reaches it still belongs to the page.
  bool spent() const {
    return reached(spent_.rows_looked_at, limits_.rows_looked_at) ||
           reached(spent_.bytes_looked_at, limits_.bytes_looked_at) ||
           reached(spent_.rows_returned, limits_.rows_returned);
  }
  /// Returns true if a limit of what is looked at has no room for one more row, of that many bytes. For pages
  /// that end before such a row. A page always has room for its first row.
  bool would_pass(std::size_t bytes) const {
    if (spent_.rows_looked_at == 0) return false;
    return passes(spent_.rows_looked_at + 1, limits_.rows_looked_at) ||
           passes(spent_.bytes_looked_at + bytes, limits_.bytes_looked_at);
  }
  const ScanLimits& so_far() const { return spent_; }

 private:
  static bool reached(std::size_t count, std::size_t limit) { return limit != 0 && count >= limit; }
  static bool passes(std::size_t count, std::size_t limit) { return limit != 0 && count > limit; }

  ScanLimits limits_;
  ScanLimits spent_;
};

/// Returns the bytes of a partition (View::scan_partition_bytes).
std::int64_t partition_bytes_in(std::string_view value);

/// All data of one store at one moment. Thread-safe. While a view lives, the data that it sees are not
/// freed.
class View {
 public:
  /// `name_space`, that of the store, must outlive the view.
  View(std::shared_ptr<const kv::Snapshot> snapshot, std::uint8_t face, std::string_view name_space = {})
      : snapshot_(std::move(snapshot)), face_(face), name_space_(name_space) {}

  kv::Result<std::optional<kv::Value>> read(const Table& table, std::string_view key,
                                            Area area = Area::rows()) const;
  kv::Result<RowCursor> scan(const Table& table, Area area, const KeyRange& range, Direction direction) const;

  /// Reads entries of the face, which belong to no table.
  kv::Result<std::optional<kv::Value>> read(SpaceId space, std::string_view key) const;
  kv::Result<RowCursor> scan(SpaceId space, const KeyRange& range, Direction direction) const;

  /// Returns the records of a stream from `from` on, inclusive: oldest first if forward, else newest first. A
  /// reader that comes back with a newer view continues from the position after the last record seen, and
  /// misses none:
  ///
  ///     auto records = view.read_stream(stream, last_seen.next()).value();
  ///     while (records.next().value()) handle(records.record(), last_seen = records.position());
  kv::Result<StreamCursor> read_stream(StreamId stream, StreamPosition from = {},
                                       Direction direction = Direction::forward) const;

  /// Returns the records of a stream, and their bytes. Records of programs that did not count them may be
  /// missing.
  kv::Result<Count> count_stream(StreamId stream) const;

  /// Returns the rows of a table as they were at a moment, within a range, from the first after the key
  /// `after`, or from the beginning if it is empty (past_rows.h).
  kv::Result<PastRows> scan_past(const Table& table, PastMoment moment, std::string_view after = {},
                                 const KeyRange& range = {}) const;

  /// Returns the changes of these rows between two moments. The table and this view must outlive the
  /// result.
  kv::Result<PastChanges> scan_changes(const Table& table, PastMoment from, PastMoment to,
                                       std::string_view after = {}, const KeyRange& range = {}) const;

  /// Returns the rows and bytes of the table, or of one of its indexes.
  kv::Result<Count> count(const Table& table, IndexId index = 0) const;

  /// Returns the partitions whose bytes the store counts, in the order of their rows. The keys are those of
  /// Schema::counted_partition; partition_bytes_in() reads the values.
  kv::Result<RowCursor> scan_partition_bytes(const Table& table) const;

 private:
  std::shared_ptr<const kv::Snapshot> snapshot_;
  std::uint8_t face_;
  std::string_view name_space_;
};

}  // namespace dinette::store
