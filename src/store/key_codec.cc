#include "dinette/store/key_codec.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>

#include "dinette/base/bytes.h"

namespace dinette::store {
namespace {

// FORMAT.md, "Components of tuples", has these bytes and why they sort.
constexpr char escape = '\x00';
constexpr char escaped_zero = '\xFF';
constexpr char end_of_bytes = '\x01';
constexpr std::uint16_t zero_exponent = 0x8000;
constexpr char end_of_digits = '\x00';
constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;

char flip(char byte) {
  return static_cast<char>(~static_cast<unsigned char>(byte));
}

/// Inverts the order of what was appended to `out` from `start` on, if asked to.
void set_order(std::string& out, std::size_t start, Order order) {
  if (order == Order::ascending) return;
  for (std::size_t i = start; i < out.size(); ++i) out[i] = flip(out[i]);
}

void append_escaped(std::string& out, std::string_view bytes) {
  for (std::size_t zero; (zero = bytes.find(escape)) != std::string_view::npos;
       bytes.remove_prefix(zero + 1)) {
    out.append(bytes.substr(0, zero)).push_back(escape);
    out.push_back(escaped_zero);
  }
  out.append(bytes);
}

void append_u64(std::string& out, std::uint64_t bits, Order order) {
  base::append_big_endian(out, order == Order::ascending ? bits : ~bits);
}

/// Reads bytes of a component from the front of a tuple, undoing Order::descending.
class Bytes {
 public:
  Bytes(std::string_view& rest, Order order) : rest_(rest), descending_(order == Order::descending) {}

  std::optional<unsigned char> next() {
    if (rest_.empty()) return std::nullopt;
    const char byte = descending_ ? flip(rest_.front()) : rest_.front();
    rest_.remove_prefix(1);
    return static_cast<unsigned char>(byte);
  }

 private:
  std::string_view& rest_;
  bool descending_;
};

unsigned digit_at(std::string_view digits, std::size_t i) {
  return i < digits.size() ? static_cast<unsigned>(digits[i] - '0') : 0;
}

}  // namespace

void append_bytes(std::string& out, std::string_view bytes, Order order) {
  const std::size_t start = out.size();
  append_escaped(out, bytes);
  out.push_back(escape);
  out.push_back(end_of_bytes);
  set_order(out, start, order);
}

void append_bytes_prefix(std::string& out, std::string_view prefix, Order order) {
  const std::size_t start = out.size();
  append_escaped(out, prefix);
  set_order(out, start, order);
}

void append_decimal(std::string& out, const Decimal& number, Order order) {
  const std::size_t start = out.size();
  std::string_view digits = number.digits;
  int exponent = number.exponent;
  for (; digits.starts_with('0'); --exponent) digits.remove_prefix(1);
  while (digits.ends_with('0')) digits.remove_suffix(1);

  if (digits.empty()) {
    base::append_big_endian(out, zero_exponent);
  } else {
    assert(-max_decimal_exponent <= exponent && exponent <= max_decimal_exponent);
    const int magnitude = max_decimal_exponent + 1 + exponent;
    base::append_big_endian(out, static_cast<std::uint16_t>(zero_exponent + magnitude));
    for (std::size_t i = 0; i < digits.size(); i += 2) {
      out.push_back(static_cast<char>(1 + 10 * digit_at(digits, i) + digit_at(digits, i + 1)));
    }
    out.push_back(end_of_digits);
    if (number.negative) {
      for (std::size_t i = start; i < out.size(); ++i) out[i] = flip(out[i]);
    }
  }
  set_order(out, start, order);
}

void append_int64(std::string& out, std::int64_t number, Order order) {
  append_u64(out, static_cast<std::uint64_t>(number) ^ sign_bit, order);
}

void append_double(std::string& out, double number, Order order) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  append_u64(out, (bits & sign_bit) != 0 ? ~bits : bits | sign_bit, order);
}

std::optional<std::string> TupleReader::read_bytes(Order order) {
  std::string value;
  if (order == Order::ascending) {  // What is before the first escape is as it is.
    value = rest_.substr(0, rest_.find(escape));
    rest_.remove_prefix(value.size());
  }
  Bytes bytes(rest_, order);
  while (const auto byte = bytes.next()) {
    if (*byte != static_cast<unsigned char>(escape)) {
      value.push_back(static_cast<char>(*byte));
      continue;
    }
    const auto kind = bytes.next();
    if (!kind) return std::nullopt;
    if (*kind == static_cast<unsigned char>(end_of_bytes)) return value;
    if (*kind != static_cast<unsigned char>(escaped_zero)) return std::nullopt;
    value.push_back(escape);
  }
  return std::nullopt;
}

std::optional<DecimalText> TupleReader::read_decimal(Order order) {
  Bytes bytes(rest_, order);
  const auto high = bytes.next();
  const auto low = bytes.next();
  if (!high || !low) return std::nullopt;
  unsigned exponent = (unsigned{*high} << 8) | *low;
  if (exponent == zero_exponent) return DecimalText{};

  DecimalText number;
  number.negative = exponent < zero_exponent;
  if (number.negative) exponent ^= 0xFFFF;
  number.exponent = static_cast<int>(exponent - zero_exponent) - (max_decimal_exponent + 1);
  while (const auto byte = bytes.next()) {
    const unsigned pair = number.negative ? *byte ^ 0xFFu : *byte;
    if (pair == 0) {
      if (number.digits.ends_with('0')) number.digits.pop_back();
      return number;
    }
    if (pair > 100) return std::nullopt;
    number.digits.push_back(static_cast<char>('0' + (pair - 1) / 10));
    number.digits.push_back(static_cast<char>('0' + (pair - 1) % 10));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> TupleReader::read_u64(Order order) {
  if (rest_.size() < sizeof(std::uint64_t)) return std::nullopt;
  const auto bits = base::load_big_endian<std::uint64_t>(rest_.data());
  rest_.remove_prefix(sizeof bits);
  return order == Order::ascending ? bits : ~bits;
}

std::optional<std::int64_t> TupleReader::read_int64(Order order) {
  const auto bits = read_u64(order);
  if (!bits) return std::nullopt;
  return static_cast<std::int64_t>(*bits ^ sign_bit);
}

std::optional<double> TupleReader::read_double(Order order) {
  const auto bits = read_u64(order);
  if (!bits) return std::nullopt;
  return std::bit_cast<double>((*bits & sign_bit) != 0 ? *bits ^ sign_bit : ~*bits);
}

}  // namespace dinette::store
