#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Keys as tables store them: the tuple of the partition key, then the tuple of the sort key. A face that
/// distributes its partitions over the key space puts a hash before both.
namespace dinette::store {

/// A hash of the partition key, computed by the face. It must never change.
using PartitionHash = std::uint64_t;

inline constexpr std::size_t partition_hash_size = sizeof(PartitionHash);

enum class Direction : bool { forward, backward };

/// Appends the hash to an empty key. Keys are ordered by their hashes.
void append_partition_hash(std::string& key, PartitionHash hash);

/// Returns the hash that a key begins with; of a shorter text, such as the beginning of a KeyRange, the least
/// hash of all keys after it.
PartitionHash hash_at(std::string_view key);

/// Keys from `begin` up to, but not including, `end`; an empty `end` means no end.
struct KeyRange {
  std::string begin;
  std::string end;

  /// Returns the range of all keys that start with `prefix`.
  static KeyRange of_prefix(std::string_view prefix);
  /// Returns part `segment` of `segments` equal parts of the hash space, for keys that begin with a
  /// PartitionHash: 0 <= segment < segments. The parts are disjoint and cover everything.
  static KeyRange of_segment(std::uint32_t segment, std::uint32_t segments);

  /// Removes `key` and what precedes it in `direction`, so that a page continues after `key`. A key outside
  /// the range changes nothing.
  void start_after(std::string_view key, Direction direction);
  bool contains(std::string_view key) const { return key >= begin && (end.empty() || key < end); }
  /// Returns true if no key can be inside.
  bool empty() const { return !end.empty() && begin >= end; }
};

}  // namespace dinette::store
