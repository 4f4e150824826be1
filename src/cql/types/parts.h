#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dinette::cql {

/// Reads what values of several parts consist of: [int], and [bytes], of which a negative length is null.
class PartReader {
 public:
  /// `bytes` must outlive the reader.
  explicit PartReader(std::string_view bytes) : rest_(bytes) {}

  bool at_end() const { return rest_.empty(); }
  /// Each returns nullopt, and reads nothing, if there are not enough bytes.
  std::optional<std::int32_t> read_int();
  std::optional<std::string_view> read(std::size_t count);

 private:
  std::string_view rest_;
};

/// Numbers of types varint and decimal, which have up to 38 digits.
__extension__ using Int128 = __int128;

/// Reads a number in two's complement; of `bytes` at most 17 count. Returns nullopt if it is not within
/// -10^38 to 10^38, or if there are no bytes.
std::optional<Int128> read_varint(std::string_view bytes);

/// A duration; the three have the same sign.
struct Duration {
  std::int64_t months = 0;
  std::int64_t days = 0;
  std::int64_t nanoseconds = 0;
};

/// Reads three variable-length numbers. Returns nullopt if that is not exactly what `bytes` are.
std::optional<Duration> read_duration(std::string_view bytes);

}  // namespace dinette::cql
