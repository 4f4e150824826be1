#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

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
  enum class Kind : std::uint8_t { put, erase, erase_range, add };

  /// One change as an engine sees it; the views live as long as the batch is not touched.
  struct Change {
    Kind kind;
    std::string_view key;  ///< for erase_range the begin of the range
    std::string_view end;  ///< for erase_range its end; for `add` the increments, eight big-endian bytes each
    const Value* value;    ///< for put
  };

  /// `value` must not be null.
  void put(std::string_view key, Value value);
  /// No error when the key is not there.
  void erase(std::string_view key);
  void erase_range(Range range);
  /// Adds to a row of counters without reading it: the value at `key` is an array of signed 64-bit integers,
  /// eight big-endian bytes each; counter i grows by increments[i], with a counter that is not there counting
  /// as zero. Counters wrap around.
  void add(std::string_view key, std::initializer_list<std::int64_t> increments);

  void clear();
  bool empty() const { return entries_.empty(); }
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
};

/// The array of counters `current` (null for none) after an `add` of `increments`, for engines that have no
/// such operation of their own.
Value add_counters(const Value& current, std::string_view increments);

/// Counter `index` of an array that WriteBatch::add keeps; 0 if it is not there.
std::int64_t read_counter(std::string_view counters, std::size_t index);

}  // namespace dinette::kv
