#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/kv/value.h"
#include "dinette/store/scan.h"

/// The rows of a table as they were. While Schema::keeps_versions() is true, each write of a row also keeps
/// its former value, with the time of the write and the version of the table that it was decided for. The
/// earliest former value later than a moment is the value of the row at that moment; without one, it is the
/// current value.
namespace dinette::store {

/// The moment up to which changes are seen. The default sees all of them.
struct PastMoment {
  base::TimePoint moment = base::TimePoint::max();  ///< no change that was made after it is seen,
  /// and none that was made when the table had this version or a later one: of two commits at the same time
  /// by the clock one may be before an update of the table, and one after it.
  std::uint64_t table_version = std::numeric_limits<std::uint64_t>::max();
};

/// Walks the rows of a table as they were at a moment, in the order of their keys. Versions must have been
/// kept since. If the clock was set back meanwhile, a row is seen as it was before its first change that was
/// later. Belongs to one thread at a time. The cost depends on the rows and versions walked over.
class PastRows {
 public:
  /// Moves to the first row, then from row to row. Returns false at the end.
  kv::Result<bool> next();

  /// The key of the row, as placement.h builds it, and its value, until the next move.
  const std::string& key() const { return key_; }
  const kv::Value& value() const { return value_; }
  /// The rows and versions walked over so far.
  std::size_t walked() const { return walked_; }

 private:
  friend class View;
  PastRows(RowCursor rows, RowCursor versions, PastMoment moment)
      : rows_(std::move(rows)), versions_(std::move(versions)), moment_(moment) {}

  kv::Result<void> start();
  kv::Result<void> advance_row();
  kv::Result<void> advance_version();
  std::string_view row_of_version() const;
  kv::Result<void> take_row();
  kv::Result<void> take_versions();

  RowCursor rows_;
  RowCursor versions_;
  PastMoment moment_;
  bool started_ = false;
  bool on_row_ = false;
  bool on_version_ = false;
  std::size_t walked_ = 0;
  std::string key_;
  kv::Value value_;  ///< null if there was no row at key_
};

/// Walks the rows that have former values, in the order of their keys, and compares their values at two
/// moments. Versions must have been kept since the first. Belongs to one thread at a time. The cost depends
/// on the former values that are kept, not on the rows of the table.
class PastChanges {
 public:
  /// Moves to the first row, then from row to row, also to those that did not change between the moments.
  /// Returns false at the end.
  kv::Result<bool> next();

  /// The key of the row, as placement.h builds it, until the next move.
  const std::string& key() const { return key_; }
  /// Returns the time of the last change after the first moment and up to the second; nothing if there was
  /// none.
  const std::optional<base::TimePoint>& changed() const { return changed_; }
  /// The values of the row at the two moments, if it has changed between them; null if there was none.
  const kv::Value& before() const { return before_; }
  const kv::Value& after() const { return after_; }
  /// The former values walked over so far.
  std::size_t walked() const { return walked_; }

 private:
  friend class View;
  using Read = std::function<kv::Result<std::optional<kv::Value>>(std::string_view key)>;
  PastChanges(RowCursor versions, PastMoment from, PastMoment to, Read read)
      : versions_(std::move(versions)), from_(from), to_(to), read_(std::move(read)) {}

  kv::Result<void> advance();
  std::string_view row_of_version() const;

  RowCursor versions_;
  const PastMoment from_;
  const PastMoment to_;
  Read read_;  ///< the row as it is
  bool started_ = false;
  bool on_version_ = false;
  std::size_t walked_ = 0;
  std::string key_;
  std::optional<base::TimePoint> changed_;
  kv::Value before_;
  kv::Value after_;
};

}  // namespace dinette::store
