#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/commit_position.h"
#include "dinette/kv/error.h"
#include "dinette/kv/value.h"

namespace dinette::kv {

class Reader;

/// The keys from `begin` up to, but not including, `end`. An empty `begin` is the first key; an empty `end`
/// means no end. Views: a function that takes a Range reads it during the call only.
struct Range {
  std::string_view begin;
  std::string_view end;

  bool contains(std::string_view key) const { return key >= begin && (end.empty() || key < end); }
};

/// Changes that take effect together, in the order in which they were added. Copies keys, shares values. Not
/// thread-safe.
class WriteBatch {
 public:
  enum class Kind : std::uint8_t { put, put_in_commit_order, erase, erase_range, add };

  /// One change as an engine sees it. The views live until the batch is changed.
  struct Change {
    Kind kind;
    std::string_view key;  ///< for erase_range the begin of the range, for put_in_commit_order the prefix
    /// For erase_range its end; for `add` the increments, eight big-endian bytes each; for
    /// put_in_commit_order the index of its CommitPosition, four.
    std::string_view end;
    const Value* value;  ///< for put and put_in_commit_order
  };

  /// `value` must not be null.
  void put(std::string_view key, Value value);
  /// Puts `value` at a key that the engine completes: `prefix`, then the CommitPosition of this write. Of all
  /// keys with this prefix, those committed later are greater, so a reader that has seen one of them never
  /// finds a new one before it:
  ///
  ///     batch.put_in_commit_order("log/", Value("first"));   // "log/", commit 7, index 0
  ///     batch.put_in_commit_order("log/", Value("second"));  // "log/", commit 7, index 1
  ///
  /// `prefix` may have `max_key_size - CommitPosition::encoded_size` bytes. `value` must not be null.
  void put_in_commit_order(std::string_view prefix, Value value);
  /// Does nothing if the key is absent.
  void erase(std::string_view key);
  void erase_range(Range range);
  /// Adds to an array of counters without reading it: the value at `key` is an array of signed 64-bit
  /// integers, eight big-endian bytes each. Counter i grows by increments[i]; an absent counter counts as
  /// zero. Counters wrap around.
  void add(std::string_view key, std::initializer_list<std::int64_t> increments);

  enum class Presence : bool { absent, present };
  /// Makes the changes from number `first` up to the last one so far take effect only if `key` is absent, or
  /// present, before the batch does. They must be puts, erases and additions. For the batch of a transaction
  /// that holds the lock under which all others write `key`; so the engine finds out when it commits, and the
  /// body need not read.
  ///
  ///     const std::size_t first = batch.size();
  ///     batch.put("index/a", Value("1"));
  ///     batch.add("index/count", {1});
  ///     batch.only_if(first, "index/a", WriteBatch::Presence::absent);
  void only_if(std::size_t first, std::string_view key, Presence presence);
  bool has_conditions() const { return !conditions_.empty(); }
  /// Removes the conditions, and the changes whose conditions do not hold in `before`. For engines.
  Result<void> settle(const Reader& before);

  /// Appends a change of another batch, for engines that keep batches in a log. A write in commit order gets
  /// the next index of this batch.
  void append(const Change& change);

  void clear();
  bool empty() const { return entries_.empty(); }
  /// Returns true if the commit needs a number.
  bool in_commit_order() const { return in_commit_order_ != 0; }
  std::size_t size() const { return entries_.size(); }
  Change operator[](std::size_t index) const;

 private:
  struct Entry {
    Kind kind;
    std::uint32_t key_size;
    std::uint32_t end_size;
    std::size_t offset;  ///< of the key in bytes_, which the end follows
    Value value;
  };
  struct Condition {
    std::string key;
    Presence presence;
    std::size_t first;  ///< of the changes that depend on it
    std::size_t end;    ///< after the last of them
  };
  void append(Kind kind, std::string_view key, std::string_view end, Value value);

  std::string bytes_;
  std::vector<Entry> entries_;
  std::vector<Condition> conditions_;  ///< in the order of their changes, of which each has one at most
  std::uint32_t in_commit_order_ = 0;  ///< writes of that kind
};

/// Returns the whole key of a change of Kind::put_in_commit_order in the commit `number`. For engines.
std::string key_in_commit_order(const WriteBatch::Change& change, CommitNumber number);

/// Returns the array of counters `current` (null for none) after an `add` of `increments`. For engines that
/// have no such operation.
Value add_counters(const Value& current, std::string_view increments);

/// Returns counter `index` of an array that WriteBatch::add keeps; 0 if it is absent.
std::int64_t read_counter(std::string_view counters, std::size_t index);

}  // namespace dinette::kv
