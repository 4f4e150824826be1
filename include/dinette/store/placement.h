#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Keys as tables hold them: the placement of the partition, its key tuple, then the sort key tuple.
namespace dinette::store {

/// How a face spreads its partitions over the key space.
enum class Placement : bool {
  ordered,  ///< in the order of their keys
  hashed,   ///< by eight bytes of a hash of the partition key tuple; the hash is the same everywhere and for
            ///< ever
};

enum class Direction : bool { forward, backward };

/// To build a key: start_key(), append the partition key components, finish_partition(), append the sort key
/// components. Empties `key`, keeping its memory.
void start_key(std::string& key, Placement placement);
/// Afterwards `key` is the prefix of every key of its partition, and of no other.
void finish_partition(std::string& key, Placement placement);
/// Bytes of a key in front of the partition key tuple.
constexpr std::size_t placement_size(Placement placement) {
  return placement == Placement::hashed ? sizeof(std::uint64_t) : 0;
}

/// Keys from `begin` up to, but without, `end`; an empty `end` is no end.
struct KeyRange {
  std::string begin;
  std::string end;

  /// Every key that starts with `prefix`.
  static KeyRange of_prefix(std::string_view prefix);
  /// Part `segment` of `segments` equal parts of the hash space, for tables with Placement::hashed:
  /// 0 <= segment < segments. The parts are disjoint and cover everything.
  static KeyRange of_segment(std::uint32_t segment, std::uint32_t segments);

  /// Cuts off `key` and what comes before it in `direction`: where a page went on from. Keys outside change
  /// nothing.
  void start_after(std::string_view key, Direction direction);
  bool contains(std::string_view key) const { return key >= begin && (end.empty() || key < end); }
  /// Whether no key can be inside.
  bool empty() const { return !end.empty() && begin >= end; }
};

}  // namespace dinette::store
