#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dinette::kv {

/// Numbers the commits of an engine that contain writes in commit order: 1 or more, strictly rising in the
/// order in which the commits become visible. A number is never used twice and never goes back: not after a
/// reset, not after reopening. A fork continues from the number of its origin. Numbers may have gaps. 0 is no
/// commit.
using CommitNumber = std::uint64_t;

/// The end of a key that WriteBatch::put_in_commit_order wrote. Encoded positions compare as bytes as they
/// compare here.
struct CommitPosition {
  CommitNumber number = 0;
  std::uint32_t index = 0;  ///< among the writes in commit order of that batch, from 0

  friend auto operator<=>(const CommitPosition&, const CommitPosition&) = default;

  /// Returns the least position that is greater than this one.
  CommitPosition next() const { return {number, index + 1}; }

  /// Bytes of the encoding: the number, then the index, both big-endian.
  static constexpr std::size_t encoded_size = sizeof(CommitNumber) + sizeof(std::uint32_t);

  void append_to(std::string& key) const;
  /// Reads the position at the end of `key`, which must have `encoded_size` bytes or more.
  static CommitPosition at_end_of(std::string_view key);
};

}  // namespace dinette::kv
