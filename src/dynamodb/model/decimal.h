#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "dynamodb/model/number.h"

namespace dinette::dynamodb::model {

/// 10^0 ... 10^38: every power of ten that fits a coefficient.
inline constexpr auto powers_of_ten = [] {
  std::array<Number::Coefficient, Number::max_digits + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

/// Returns 10^power; `power` must be 0 to Number::max_digits.
constexpr Number::Coefficient power_of_ten(std::int64_t power) {
  return powers_of_ten[static_cast<std::size_t>(power)];
}

/// Returns the number of decimal digits of `value`; 0 for zero.
constexpr int count_digits(Number::Coefficient value) {
  if (value == 0) return 0;
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  const int bits = high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
  const int at_least = bits * 1233 >> 12;  // 1233 / 4096 is just under log10(2)
  return value >= power_of_ten(at_least) ? at_least + 1 : at_least;
}

/// Room for the digits of any coefficient.
using DigitBuffer = std::array<char, Number::max_digits>;

/// The digits of `coefficient`, none for zero, in `buffer`.
inline std::string_view write_digits(Number::Coefficient coefficient, DigitBuffer& buffer) {
  if (coefficient == 0) return {};
  constexpr int low_digits = 19;  // as many as always fit 64 bits
  char* at = buffer.data();
  char* const end = at + buffer.size();
  if (coefficient < power_of_ten(low_digits)) {
    at = std::to_chars(at, end, static_cast<std::uint64_t>(coefficient)).ptr;
  } else {
    at = std::to_chars(at, end, static_cast<std::uint64_t>(coefficient / power_of_ten(low_digits))).ptr;
    auto low = static_cast<std::uint64_t>(coefficient % power_of_ten(low_digits));
    at += low_digits;
    for (char* digit = at; digit != at - low_digits; low /= 10) *--digit = static_cast<char>('0' + low % 10);
  }
  return {buffer.data(), static_cast<std::size_t>(at - buffer.data())};
}

}  // namespace dinette::dynamodb::model
