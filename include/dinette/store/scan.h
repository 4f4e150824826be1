#pragma once

#include <cstddef>
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

/// Walks the keys of a range of one area, in order. Belongs to one thread at a time. Cost depends on what is
/// walked over, not on the size of partition or table.
class RowCursor {
 public:
  RowCursor(std::unique_ptr<kv::Cursor> cursor, std::size_t key_offset, Direction direction)
      : cursor_(std::move(cursor)), key_offset_(key_offset), direction_(direction) {}

  /// To the first entry, then on from entry to entry; false at the end.
  kv::Result<bool> next();

  /// Of the entry, until the next move. The key is as placement.h builds it.
  std::string_view key() const { return cursor_->key().substr(key_offset_); }
  std::string_view value() const { return cursor_->value(); }
  /// The value to keep.
  kv::Value shared_value() const { return cursor_->shared_value(); }

 private:
  std::unique_ptr<kv::Cursor> cursor_;
  std::size_t key_offset_;
  Direction direction_;
  bool started_ = false;
};

/// Walks records of a stream. Belongs to one thread at a time.
class StreamCursor {
 public:
  explicit StreamCursor(RowCursor cursor) : cursor_(std::move(cursor)) {}

  /// To the first record, then on from record to record; false at the end.
  kv::Result<bool> next() { return cursor_.next(); }

  /// Of the record, until the next move.
  StreamPosition position() const { return StreamPosition::at_end_of(cursor_.key()); }
  std::string_view record() const { return cursor_.value(); }
  /// The record to keep.
  kv::Value shared_record() const { return cursor_.shared_value(); }

 private:
  RowCursor cursor_;
};

/// How much one page may look at and return. Zero bounds mean none.
struct ScanLimits {
  std::size_t rows_looked_at = 0;
  std::size_t bytes_looked_at = 0;  ///< as the face counts a row
  std::size_t rows_returned = 0;
};

/// Keeps account of a page against its limits.
class ScanBudget {
 public:
  explicit ScanBudget(ScanLimits limits) : limits_(limits) {}

  void look_at(std::size_t bytes) {
    ++spent_.rows_looked_at;
    spent_.bytes_looked_at += bytes;
  }
  void return_row() { ++spent_.rows_returned; }

  /// Whether a limit has been reached. The row that reaches it still belongs to the page.
  bool spent() const {
    return reached(spent_.rows_looked_at, limits_.rows_looked_at) ||
           reached(spent_.bytes_looked_at, limits_.bytes_looked_at) ||
           reached(spent_.rows_returned, limits_.rows_returned);
  }
  const ScanLimits& so_far() const { return spent_; }

 private:
  static bool reached(std::size_t count, std::size_t limit) { return limit != 0 && count >= limit; }

  ScanLimits limits_;
  ScanLimits spent_;
};

/// Everything of one face as it was at one moment. May be used by several threads. While it lives, what it
/// sees is not freed.
class View {
 public:
  View(std::shared_ptr<const kv::Snapshot> snapshot, std::uint8_t face)
      : snapshot_(std::move(snapshot)), face_(face) {}

  kv::Result<std::optional<kv::Value>> read(const Table& table, std::string_view key,
                                            Area area = Area::rows()) const;
  kv::Result<RowCursor> scan(const Table& table, Area area, const KeyRange& range, Direction direction) const;

  /// Entries of the face, which belong to no table.
  kv::Result<std::optional<kv::Value>> read(SpaceId space, std::string_view key) const;
  kv::Result<RowCursor> scan(SpaceId space, const KeyRange& range, Direction direction) const;

  /// The records of a stream from `from` on, that one included: oldest first if forward, else newest first.
  /// Who comes again, with a newer view, goes on from the position after the last one seen, and misses
  /// nothing:
  ///
  ///     auto records = view.read_stream(stream, last_seen.next()).value();
  ///     while (records.next().value()) handle(records.record(), last_seen = records.position());
  kv::Result<StreamCursor> read_stream(StreamId stream, StreamPosition from = {},
                                       Direction direction = Direction::forward) const;

  /// Rows and bytes of the table, or of one of its indexes.
  kv::Result<Count> count(const Table& table, IndexId index = 0) const;

 private:
  std::shared_ptr<const kv::Snapshot> snapshot_;
  std::uint8_t face_;
};

}  // namespace dinette::store
