#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

/// Rows as they are kept: cells with timestamps, tombstones, expiry
/// (docs/service-keyspaces/timestamps.md section 2).
namespace dinette::cql::data {

/// Microseconds since 1970.
using Timestamp = std::int64_t;
/// Seconds since 1970, by the world's clock.
using Seconds = std::int64_t;

inline constexpr Timestamp no_timestamp = std::numeric_limits<Timestamp>::min();

/// Hides everything in its scope whose timestamp is not greater.
struct Deletion {
  Timestamp timestamp = no_timestamp;  ///< no_timestamp: there is none
  Seconds made = 0;                    ///< tombstones are removed ten days later

  bool exists() const { return timestamp != no_timestamp; }
  bool hides(Timestamp other) const { return other <= timestamp; }
  friend bool operator==(const Deletion&, const Deletion&) = default;
};

/// When a cell or a marker was written, and how long it lives.
struct Stamp {
  Timestamp timestamp = no_timestamp;
  std::int32_t time_to_live = 0;  ///< in seconds; 0: for ever
  Seconds expires = 0;            ///< if it has a time to live

  bool expired(Seconds now) const { return time_to_live != 0 && expires <= now; }
  friend bool operator==(const Stamp&, const Stamp&) = default;
};

/// The value of a column, of an element of a collection, or of a field; or a tombstone. Views of a record, or
/// of what is written.
struct Cell {
  enum class Kind : std::uint8_t {
    value = 0,
    tombstone = 1,
    all_elements = 2,  ///< a tombstone of a column with elements, without a path: hides those that are older
  };

  std::uint32_t column = 0;
  Kind kind = Kind::value;
  Stamp stamp{};
  Seconds made = 0;         ///< of tombstones
  std::string_view path{};  ///< bytes that order the elements of a column; empty of a column without
  std::string_view key{};   ///< the key of a map's entry, the element of a set, as clients send them
  std::string_view value{};

  bool live(Seconds now) const { return kind == Kind::value && !stamp.expired(now); }
};

/// Ascending by column, then all_elements before elements by their paths; each place once.
using Cells = std::vector<Cell>;

/// Returns true if `a` comes before `b`.
inline bool precedes(const Cell& a, const Cell& b) {
  if (a.column != b.column) return a.column < b.column;
  const bool first = a.kind == Cell::Kind::all_elements;
  const bool second = b.kind == Cell::Kind::all_elements;
  if (first != second) return first;
  return a.path < b.path;
}

}  // namespace dinette::cql::data
