#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "dynamodb/model/number.h"

namespace dinette::dynamodb::model {

/// 10^0 ... 10^38: every power of ten that fits a coefficient.
inline constexpr auto powers_of_ten = [] {
  std::array<Number::Coefficient, Number::max_digits + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

/// 10^power; `power` must be 0 to Number::max_digits.
constexpr Number::Coefficient power_of_ten(std::int64_t power) {
  return powers_of_ten[static_cast<std::size_t>(power)];
}

/// Decimal digits of `value`; 0 for zero.
constexpr int count_digits(Number::Coefficient value) {
  if (value == 0) return 0;
  const auto high = static_cast<std::uint64_t>(value >> 64);
  const auto low = static_cast<std::uint64_t>(value);
  const int bits = high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
  const int at_least = bits * 1233 >> 12;  // 1233 / 4096 is just under log10(2)
  return value >= power_of_ten(at_least) ? at_least + 1 : at_least;
}

}  // namespace dinette::dynamodb::model
