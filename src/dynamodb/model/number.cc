#include "dynamodb/model/number.h"

#include "dynamodb/model/decimal.h"

namespace dinette::dynamodb::model {
namespace {

using Sum = base::Result<Number, NumberProblem>;

/// The coefficient without its trailing zeros, and how many there were.
struct Stripped {
  Number::Coefficient coefficient;
  int zeros;
};

Stripped strip_trailing_zeros(Number::Coefficient coefficient) {
  int zeros = 0;
  while (coefficient >> 64 != 0 && coefficient % 10 == 0) {
    coefficient /= 10;
    ++zeros;
  }
  if (coefficient >> 64 != 0) return {coefficient, zeros};
  auto narrow = static_cast<std::uint64_t>(coefficient);  // dividing 64 bits is several times faster
  while (narrow != 0 && narrow % 10 == 0) {
    narrow /= 10;
    ++zeros;
  }
  return {narrow, zeros};
}

/// The power of ten of the leading digit of a number that is not zero.
int magnitude(const Number& number) {
  return number.digits() + number.exponent() - 1;
}

std::strong_ordering reversed(std::strong_ordering order) {
  return 0 <=> order;
}

/// Orders |a| and |b|, neither of them zero.
std::strong_ordering compare_magnitudes(const Number& a, const Number& b) {
  if (const auto order = magnitude(a) <=> magnitude(b); order != 0) return order;
  // The leading digits stand on the same place, so aligning adds no digit beyond those of the longer number.
  const int shift = a.exponent() - b.exponent();
  return shift >= 0 ? a.coefficient() * power_of_ten(shift) <=> b.coefficient()
                    : a.coefficient() <=> b.coefficient() * power_of_ten(-shift);
}

/// The largest coefficient that can take part in an exact sum once both numbers are aligned: beyond it the
/// result has more than 38 digits, even if the other number (below 10^38) is subtracted.
constexpr Number::Coefficient max_aligned = 2 * power_of_ten(Number::max_digits);

/// A result that needs more than 38 digits is an overflow to the service (docs/service/expressions.md section
/// 7, SET).
Sum sum_of(bool negative, Number::Coefficient coefficient, int exponent) {
  auto sum = Number::make(negative, coefficient, exponent);
  if (!sum && sum.error() == NumberProblem::too_precise) return base::Failure{NumberProblem::overflow};
  return sum;
}

/// Returns a + b, where a's exponent is not below b's.
Sum add_aligned(const Number& coarse, const Number& fine) {
  const int shift = coarse.exponent() - fine.exponent();
  if (shift > Number::max_digits || coarse.coefficient() > max_aligned / power_of_ten(shift)) {
    return base::Failure{NumberProblem::overflow};
  }
  const auto a = coarse.coefficient() * power_of_ten(shift);
  const auto b = fine.coefficient();
  if (coarse.negative() == fine.negative()) return sum_of(coarse.negative(), a + b, fine.exponent());
  return a >= b ? sum_of(coarse.negative(), a - b, fine.exponent())
                : sum_of(fine.negative(), b - a, fine.exponent());
}

}  // namespace

Number::Number(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  const auto [coefficient, zeros] = strip_trailing_zeros(value < 0 ? 0 - bits : bits);
  *this = Number(value < 0, coefficient, zeros);
}

Sum Number::make(bool negative, Coefficient coefficient, int exponent) {
  if (coefficient == 0) return Number();
  const auto stripped = strip_trailing_zeros(coefficient);
  exponent += stripped.zeros;
  const int digits = count_digits(stripped.coefficient);
  const int leading = digits + exponent - 1;
  if (leading > max_magnitude) return base::Failure{NumberProblem::overflow};
  if (leading < min_magnitude) return base::Failure{NumberProblem::underflow};
  if (digits > max_digits) return base::Failure{NumberProblem::too_precise};
  return Number(negative, stripped.coefficient, exponent);
}

int Number::digits() const {
  return count_digits(coefficient());
}

std::size_t Number::size_in_bytes() const {
  if (is_zero()) return 1;
  const int all = digits();
  int whole = all;
  int fraction = 0;
  if (exponent_ < 0) {
    // Zeros right after the point count only where an integer part precedes them.
    whole = all + exponent_ > 0 ? all + exponent_ : 0;
    fraction = whole > 0 ? -exponent_ : all;
  }
  return 1U + static_cast<std::size_t>((whole + 1) / 2 + (fraction + 1) / 2) + (negative_ ? 1U : 0U);
}

Number negate(const Number& a) {
  return a.is_zero() ? a : Number(!a.negative_, a.coefficient(), a.exponent_);
}

Sum add(const Number& a, const Number& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  return a.exponent_ >= b.exponent_ ? add_aligned(a, b) : add_aligned(b, a);
}

Sum subtract(const Number& a, const Number& b) {
  return add(a, negate(b));
}

std::strong_ordering operator<=>(const Number& a, const Number& b) {
  const auto sign = [](const Number& number) { return number.is_zero() ? 0 : number.negative_ ? -1 : 1; };
  if (const auto order = sign(a) <=> sign(b); order != 0 || a.is_zero()) return order;
  const auto order = compare_magnitudes(a, b);
  return a.negative_ ? reversed(order) : order;
}

}  // namespace dinette::dynamodb::model
