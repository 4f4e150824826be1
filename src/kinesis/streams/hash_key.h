#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace dinette::kinesis {

/// A number of 128 bits, by which records are distributed to shards. In requests it is decimal.
struct HashKey {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  friend auto operator<=>(const HashKey&, const HashKey&) = default;

  /// Returns the MD5 digest of a partition key.
  static HashKey of_partition_key(std::string_view partition_key);
  /// Returns nothing for what is not a decimal number, or has more than 128 bits.
  static std::optional<HashKey> parse(std::string_view text);
  static constexpr HashKey greatest() {
    return {std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::uint64_t>::max()};
  }
  /// Returns where part `part` of `parts` equal parts of all hash keys begins: part < parts.
  static HashKey of_part(std::uint32_t part, std::uint32_t parts);

  std::string text() const;
  HashKey next() const { return {low == greatest().low ? high + 1 : high, low + 1}; }
  HashKey previous() const { return {low == 0 ? high - 1 : high, low - 1}; }
};

}  // namespace dinette::kinesis
