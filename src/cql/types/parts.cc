#include "cql/types/parts.h"

#include <algorithm>
#include <bit>

#include "dinette/base/bytes.h"

namespace dinette::cql {
namespace {

constexpr Int128 power_of_ten(int exponent) {
  Int128 power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

constexpr Int128 largest_varint = power_of_ten(38);

/// A number whose first byte begins with as many ones as bytes follow it, and whose lowest bit is its sign.
std::optional<std::int64_t> read_vint(PartReader& in) {
  const auto head = in.read(1);
  if (!head) return std::nullopt;
  const auto first = static_cast<std::uint8_t>(head->front());
  const auto following = static_cast<unsigned>(std::countl_one(first));
  const auto rest = in.read(following);
  if (!rest) return std::nullopt;
  std::uint64_t number = following >= 8 ? 0 : first & (0xFFU >> following);
  for (const char byte : *rest) number = number << 8 | static_cast<std::uint8_t>(byte);
  return static_cast<std::int64_t>((number >> 1) ^ (~(number & 1) + 1));
}

}  // namespace

std::optional<std::int32_t> PartReader::read_int() {
  const auto bytes = read(sizeof(std::uint32_t));
  if (!bytes) return std::nullopt;
  return static_cast<std::int32_t>(base::load_big_endian<std::uint32_t>(bytes->data()));
}

std::optional<std::string_view> PartReader::read(std::size_t count) {
  if (count > rest_.size()) return std::nullopt;
  const std::string_view bytes = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return bytes;
}

std::optional<Int128> read_varint(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  const bool negative = (bytes.front() & '\x80') != 0;
  // Senders may write more bytes than are needed.
  const char filler = negative ? '\xFF' : '\0';
  const std::size_t needed = std::min(bytes.find_first_not_of(filler), bytes.size() - 1);
  bytes.remove_prefix(needed > 0 ? needed - 1 : 0);
  if (bytes.size() > sizeof(Int128) + 1) return std::nullopt;
  if (bytes.size() == sizeof(Int128) + 1 && bytes.front() != filler) return std::nullopt;
  __extension__ using Unsigned = unsigned __int128;
  Unsigned number = negative ? ~Unsigned{0} : 0;
  for (const char byte : bytes) number = number << 8 | static_cast<std::uint8_t>(byte);
  const auto value = static_cast<Int128>(number);
  if ((value < 0) != negative || value > largest_varint || value < -largest_varint) return std::nullopt;
  return value;
}

std::optional<Duration> read_duration(std::string_view bytes) {
  PartReader in(bytes);
  const auto months = read_vint(in);
  const auto days = read_vint(in);
  const auto nanoseconds = read_vint(in);
  if (!months || !days || !nanoseconds || !in.at_end()) return std::nullopt;
  return Duration{*months, *days, *nanoseconds};
}

}  // namespace dinette::cql
