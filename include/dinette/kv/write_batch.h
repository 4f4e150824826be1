#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/commit_position.h"
#include "dinette/kv/value.h"

namespace dinette::kv {

/// The keys from `begin` up to, but without, `end`. An empty `begin` is the first key, an empty `end` no end.
/// Views: whoever is given a Range reads it during the call only.
struct Range {
  std::string_view begin;
  std::string_view end;

  bool contains(std::string_view key) const { return key >= begin && (end.empty() || key < end); }
};

/// Changes that take effect together and in the order in which they were added. Copies keys, shares values.
/// Not thread safe.
class WriteBatch {
 public:
  enum class Kind : std::uint8_t { put, put_in_commit_order, erase, erase_range, add };

  /// One change as an engine sees it; the views live as long as the batch is not touched.
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
  /// Puts `value` at a key that the engine completes: `prefix`, then the CommitPosition of this write. So of
  /// all keys with this prefix the ones that are committed later are greater, and a reader who has seen one
  /// of them never finds a new one before it:
  ///
  ///     batch.put_in_commit_order("log/", Value("first"));   // "log/", commit 7, index 0
  ///     batch.put_in_commit_order("log/", Value("second"));  // "log/", commit 7, index 1
  ///
  /// `prefix` may have `max_key_size - CommitPosition::encoded_size` bytes. `value` must not be null.
  void put_in_commit_order(std::string_view prefix, Value value);
  /// No error when the key is not there.
  void erase(std::string_view key);
  void erase_range(Range range);
  /// Adds to a row of counters without reading it: the value at `key` is an array of signed 64-bit integers,
  /// eight big-endian bytes each; counter i grows by increments[i], with a counter that is not there counting
  /// as zero. Counters wrap around.
  void add(std::string_view key, std::initializer_list<std::int64_t> increments);

  /// Appends a change as another batch shows it, for engines that keep batches in a log. A write in commit
  /// order gets the next index of this batch.
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
    std::size_t offset;  ///< of the key in bytes_; the end follows it
    Value value;
  };
  void append(Kind kind, std::string_view key, std::string_view end, Value value);

  std::string bytes_;
  std::vector<Entry> entries_;
  std::uint32_t in_commit_order_ = 0;  ///< writes of that kind
};

/// The whole key of a change of Kind::put_in_commit_order in the commit `number`, for engines.
std::string key_in_commit_order(const WriteBatch::Change& change, CommitNumber number);

/// The array of counters `current` (null for none) after an `add` of `increments`, for engines that have no
/// such operation of their own.
Value add_counters(const Value& current, std::string_view increments);

/// Counter `index` of an array that WriteBatch::add keeps; 0 if it is not there.
std::int64_t read_counter(std::string_view counters, std::size_t index);

}  // namespace dinette::kv
