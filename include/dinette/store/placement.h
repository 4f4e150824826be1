#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Keys as tables hold them: the key tuple of the partition, then the sort key tuple. A face that spreads its
/// partitions over the key space puts a hash in front of both.
namespace dinette::store {

/// Of the partition key, by the face, which must have it the same everywhere and for ever.
using PartitionHash = std::uint64_t;

inline constexpr std::size_t partition_hash_size = sizeof(PartitionHash);

enum class Direction : bool { forward, backward };

/// To be called first, on an empty key. Keys stand in the order of their hashes.
void append_partition_hash(std::string& key, PartitionHash hash);

/// Keys from `begin` up to, but without, `end`; an empty `end` is no end.
struct KeyRange {
  std::string begin;
  std::string end;

  /// Every key that starts with `prefix`.
  static KeyRange of_prefix(std::string_view prefix);
  /// Part `segment` of `segments` equal parts of the hash space, for keys that begin with a PartitionHash:
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
