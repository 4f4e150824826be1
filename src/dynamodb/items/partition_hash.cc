#include "dynamodb/items/partition_hash.h"

#include <cstddef>
#include <string_view>

#include <boost/container/small_vector.hpp>

#include "dinette/base/bytes.h"
#include "dinette/base/md5.h"

#include "dynamodb/model/decimal.h"

// As dynalite observed it in production (its db/index.js): MD5 of "Outliers" and the bytes of the values.
namespace dinette::dynamodb {
namespace {

using model::AttributeValue;
using Bytes = boost::container::small_vector<char, 128>;

void append_bytes(Bytes& out, std::string_view bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// The service's own form of a number: an exponent and digits to the base of 100. A negative number has them
/// turned around, with a last byte that is greater than all others if there is room.
void append_number(Bytes& out, const model::Number& number) {
  constexpr int zero = 0x80;
  constexpr int exponent_of_one = 0xC0;
  constexpr int end_of_negative = 102;
  constexpr std::size_t most_pairs = 20;
  if (number.is_zero()) return out.push_back(static_cast<char>(zero));

  model::DigitBuffer buffer;
  std::string_view digits = model::write_digits(number.coefficient(), buffer);
  // The number is 0.d1d2d3... times ten to this.
  const int exponent = number.exponent() + static_cast<int>(digits.size());
  const bool odd = exponent % 2 != 0;  // the digits then begin with a zero
  const int first = exponent_of_one + (exponent + (odd ? 1 : 0)) / 2;
  out.push_back(static_cast<char>(number.negative() ? ~first : first));

  std::size_t pairs = 0;
  const auto append_pair = [&](int high, int low) {
    const int pair = 10 * high + low;
    out.push_back(static_cast<char>(number.negative() ? 101 - pair : pair + 1));
    ++pairs;
  };
  const auto take = [&] {
    if (digits.empty()) return 0;
    const int digit = digits.front() - '0';
    digits.remove_prefix(1);
    return digit;
  };
  if (odd) append_pair(0, take());
  while (!digits.empty()) {
    const int high = take();
    append_pair(high, take());
  }
  if (number.negative() && pairs < most_pairs) out.push_back(end_of_negative);
}

void append_value(Bytes& out, const AttributeValue& value) {
  if (const auto* text = value.get_if<std::string>()) append_bytes(out, *text);
  if (const auto* number = value.get_if<model::Number>()) append_number(out, *number);
  if (const auto* binary = value.get_if<model::Binary>()) append_bytes(out, binary->bytes);
}

}  // namespace

std::uint64_t partition_hash(std::span<const AttributeValue* const> values) {
  Bytes bytes;
  append_bytes(bytes, "Outliers");
  for (const AttributeValue* value : values) append_value(bytes, *value);
  const base::Md5Digest digest = base::md5({bytes.data(), bytes.size()});
  return base::load_big_endian<std::uint64_t>(reinterpret_cast<const char*>(digest.data()));
}

}  // namespace dinette::dynamodb
