#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/function_ref.h"
#include "dinette/kv/commit_position.h"
#include "dinette/kv/value.h"
#include "dinette/store/catalog.h"
#include "dinette/store/row.h"

/// The input, the decision and the result of a write, which Store::write executes.
namespace dinette::store {

/// Keys of a row of several keys that a write reads, of those in the table's rows.
struct KeysToRead {
  KeyRange range;         ///< all of whose keys start with that of the row
  std::size_t limit = 0;  ///< reads so many of them at most, the first ones; 0: all
};

/// Something that a write reads and may change. Of two writes that name the same target, one takes effect
/// after the other. A view: the table and the key must outlive the call.
struct WriteTarget {
  const Table* table = nullptr;  ///< null for an entry of the face
  Area area;
  std::string_view key;
  bool several_keys = false;
  std::span<const KeysToRead> keys = {};  ///< instead of all of several keys

  /// Returns a row of a table; `key` as placement.h builds it.
  static WriteTarget row(const Table& table, std::string_view key) { return {&table, Area::rows(), key}; }
  /// Returns the row of all keys that start with `key`. Every write of the row must name the same `key`.
  static WriteTarget row_of_several_keys(const Table& table, std::string_view key) {
    return {&table, Area::rows(), key, true};
  }
  /// Returns the same row for a write that reads only the value at `key` itself, and of the others these
  /// keys, which must not overlap. It may put and erase all of them. `keys` must outlive the call.
  static WriteTarget row_with_keys(const Table& table, std::string_view key,
                                   std::span<const KeysToRead> keys) {
    return {&table, Area::rows(), key, false, keys};
  }
  /// Returns the mark of a row, for a write that decides by it. Every write of the mark must name it, or the
  /// row, as a target.
  static WriteTarget mark(const Table& table, std::string_view key) { return {&table, Area::marks(), key}; }
  /// Returns an entry that belongs to no table, whether or not it exists. A write that only puts the entry
  /// along with a row (KeyWrite), and does not name it as a target, does not wait for those that do.
  static WriteTarget entry(SpaceId space, std::string_view key) {
    return {nullptr, Area::of_face(space), key};
  }
};

struct KeyAndValue {
  std::string key;  ///< as placement.h builds it
  kv::Value value;

  friend bool operator==(const KeyAndValue&, const KeyAndValue&) = default;
};

/// What a write read at one target.
struct FoundRow {
  kv::Value value;                ///< at the key of the target; null for none
  std::vector<KeyAndValue> keys;  ///< of a row of several keys, ascending in each range that was read

  friend bool operator==(const FoundRow&, const FoundRow&) = default;
};

/// The input of a decision: what the write read at each target, by the target's index. Valid until the
/// decision returns.
class Rows {
 public:
  explicit Rows(std::span<const FoundRow> rows) : rows_(rows) {}

  /// Returns the row or entry, or null if there is none.
  const kv::Value* operator[](std::size_t target) const {
    return rows_[target].value ? &rows_[target].value : nullptr;
  }
  /// Returns all keys of a WriteTarget::row_of_several_keys, ascending; of a row_with_keys those that were to
  /// be read, range by range.
  std::span<const KeyAndValue> keys(std::size_t target) const { return rows_[target].keys; }

 private:
  std::span<const FoundRow> rows_;
};

/// One change per target, for the decision to fill in. Each starts out changing nothing, which is right for a
/// target that is only checked.
using RowChanges = std::span<RowChange>;

/// Decides what becomes of the rows. Returns false to leave everything as it is. May run more than
/// once, and the last run counts: it must depend only on `rows`, and change only what each run
/// overwrites.
using DecideRows = base::FunctionRef<bool(const Rows& rows, RowChanges changes)>;

enum class WriteOutcome : std::uint8_t {
  applied,
  refused,         ///< by the decision; nothing was written
  partition_full,  ///< a counted partition would grow beyond what the face allows; nothing was written
  table_changed,   ///< a table was altered or dropped since it was opened; nothing was written: open it again
};

/// How a write ended.
struct WriteEnd {
  WriteOutcome outcome = WriteOutcome::applied;
  /// The index of the target at fault: for partition_full the one that takes its partition beyond the limit,
  /// for table_changed the first one of the table; else 0.
  std::size_t target = 0;
  /// The number of the commit, if it appended records to streams: they have the positions `{commit, 0}`, ...,
  /// in the order of the targets and of RowChange::records; else 0.
  kv::CommitNumber commit = 0;
};

/// How a write ended, and what its decision returned.
template <class Decision>
struct Written {
  WriteOutcome outcome = WriteOutcome::applied;
  std::size_t target = 0;       ///< as WriteEnd::target
  kv::CommitNumber commit = 0;  ///< as WriteEnd::commit
  Decision decision;            ///< by the last run, which is what `applied` and `refused` follow
};

}  // namespace dinette::store
