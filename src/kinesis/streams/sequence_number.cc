#include "kinesis/streams/sequence_number.h"

#include <algorithm>
#include <limits>

#include <boost/multiprecision/cpp_int.hpp>

namespace dinette::kinesis {
namespace {

using Bits = boost::multiprecision::uint256_t;

constexpr std::size_t most_digits_of_number = 57;
constexpr unsigned mark = 2;
constexpr int mark_bits = 4;
constexpr int second_bits = 36;
constexpr std::uint64_t most_seconds = (std::uint64_t{1} << second_bits) - 1;

template <class Field>
void append(Bits& bits, int width, Field field) {
  bits = (bits << width) | field;
}

template <class Field>
Field take_last(Bits& bits, int width) {
  const Bits field = bits & ((Bits(1) << width) - 1);
  bits >>= width;
  return static_cast<Field>(field);
}

}  // namespace

std::string SequenceNumber::text() const {
  Bits bits = mark;
  append(bits, second_bits, static_cast<std::uint64_t>(created) & most_seconds);
  append(bits, 64, place.position.number);
  append(bits, 32, place.position.index);
  append(bits, 16, place.room);
  append(bits, 32, shard);
  append(bits, mark_bits, mark);
  return bits.str();
}

std::optional<SequenceNumber> SequenceNumber::parse(std::string_view text) {
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || text.size() > most_digits_of_number || !digits) return std::nullopt;
  Bits bits = 0;
  for (const char c : text) bits = bits * 10 + static_cast<unsigned>(c - '0');
  SequenceNumber number;
  if (take_last<unsigned>(bits, mark_bits) != mark) return std::nullopt;
  number.shard = take_last<std::uint32_t>(bits, 32);
  number.place.room = take_last<std::uint16_t>(bits, 16);
  number.place.position.index = take_last<std::uint32_t>(bits, 32);
  number.place.position.number = take_last<std::uint64_t>(bits, 64);
  number.created = take_last<std::int64_t>(bits, second_bits);
  if (bits != mark) return std::nullopt;
  return number;
}

}  // namespace dinette::kinesis
