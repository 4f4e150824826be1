#include "dynamodb/streams/sequence_number.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>
#include <system_error>

#include "dinette/store/store.h"

namespace dinette::dynamodb {
namespace {

constexpr std::size_t rest_digits = 20;
constexpr std::size_t least_digits = 21;
constexpr std::size_t most_digits = 40;

/// Room below each record of a commit.
constexpr std::uint64_t gap = std::uint64_t{1} << 20;

/// Returns the number. One that does not fit is greater than every assigned number.
std::uint64_t number_of(std::string_view digits) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc::result_out_of_range ? std::numeric_limits<std::uint64_t>::max() : number;
}

store::StreamPosition position(std::uint64_t counter, std::uint64_t index) {
  if (index <= std::numeric_limits<std::uint32_t>::max()) return {counter, static_cast<std::uint32_t>(index)};
  if (counter == std::numeric_limits<std::uint64_t>::max()) return store::stream_end;
  return {counter + 1, 0};
}

}  // namespace

SequenceNumber SequenceNumber::of(store::StreamPosition position) {
  return {position.number, (position.index + std::uint64_t{1}) * gap};
}

std::optional<SequenceNumber> SequenceNumber::parse(std::string_view text) {
  const bool right = text.size() >= least_digits && text.size() <= most_digits &&
                     std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (!right) return std::nullopt;
  const std::size_t counter_digits = text.size() - rest_digits;
  return SequenceNumber{number_of(text.substr(0, counter_digits)), number_of(text.substr(counter_digits))};
}

std::string SequenceNumber::text() const {
  const std::string digits = std::to_string(rest);
  return std::to_string(counter) + std::string(rest_digits - digits.size(), '0') + digits;
}

store::StreamPosition SequenceNumber::at() const {
  const std::uint64_t records_below = rest == 0 ? 0 : (rest - 1) / gap;
  return position(counter, records_below);
}

store::StreamPosition SequenceNumber::after() const {
  return position(counter, rest / gap);
}

}  // namespace dinette::dynamodb
