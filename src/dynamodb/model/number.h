#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "dinette/aws/generation.h"
#include "dinette/base/result.h"

#include "dynamodb/api/number_limits.h"

namespace dinette::dynamodb::model {

/// Why a text is not a Number, or why the result of an arithmetic operation is none (docs/service/values.md
/// section 2).
enum class NumberProblem {
  not_numeric,  ///< the text is not a decimal number, or its exponent cannot be read
  empty,        ///< no text at all
  overflow,     ///< magnitude beyond 9.99...E+125
  underflow,    ///< magnitude below 1E-130
  too_precise,  ///< more than 38 significant digits
};

/// The two generations read numbers alike, and differ in what they say of exponents that do not fit 32 bits,
/// and of empty text.
using aws::Generation;

/// The service's sentence about `problem` with the number written as `text`, without prefix or envelope.
std::string message(NumberProblem problem, std::string_view text, Generation generation);

/// An exact decimal of up to 38 significant digits: value = (-1)^negative * coefficient * 10^exponent.
/// Always normalised: the coefficient has no trailing zero and zero is {+, 0, 0}, so equal values are equal
/// members. A value type; arithmetic is exact or refused, never rounded.
class Number {
 public:
  static constexpr int max_digits = limits::number_digits;
  static constexpr int max_magnitude = limits::number_max_magnitude;  ///< the leading digit's power of ten
  static constexpr int min_magnitude = limits::number_min_magnitude;

  __extension__ using Coefficient = unsigned __int128;

  Number() = default;
  explicit Number(std::int64_t value);

  /// Returns (-1)^negative * coefficient * 10^exponent, normalised, after checking range and precision.
  /// Magnitude is checked before precision, as in parse and in arithmetic.
  static base::Result<Number, NumberProblem> make(bool negative, Coefficient coefficient, int exponent);

  static base::Result<Number, NumberProblem> parse(std::string_view text,
                                                   Generation generation = Generation::current);

  /// Returns a plain decimal as the service stores it: no exponent, no `+`, no superfluous zeros.
  std::string to_string() const;
  void append_to(std::string& out) const;

  /// Bytes the service counts for this number (docs/service/values.md section 6).
  std::size_t size_in_bytes() const;

  bool negative() const { return negative_; }
  bool is_zero() const { return high_ == 0 && low_ == 0; }
  Coefficient coefficient() const { return (static_cast<Coefficient>(high_) << 64) | low_; }
  int exponent() const { return exponent_; }
  /// Returns the number of decimal digits of the coefficient; 0 for zero.
  int digits() const;

  friend base::Result<Number, NumberProblem> add(const Number& a, const Number& b);
  friend base::Result<Number, NumberProblem> subtract(const Number& a, const Number& b);
  /// Returns -a. Never out of range.
  friend Number negate(const Number& a);

  friend bool operator==(const Number&, const Number&) = default;
  friend std::strong_ordering operator<=>(const Number& a, const Number& b);

 private:
  /// `coefficient` and `exponent` as they are: the caller has normalised them and checked range and
  /// precision.
  Number(bool negative, Coefficient coefficient, int exponent)
      : high_(static_cast<std::uint64_t>(coefficient >> 64)),
        low_(static_cast<std::uint64_t>(coefficient)),
        exponent_(static_cast<std::int16_t>(exponent)),
        negative_(negative) {}

  // Two halves instead of one __int128 keep the alignment, and with it every AttributeValue, at eight bytes.
  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
  std::int16_t exponent_ = 0;
  bool negative_ = false;
};

base::Result<Number, NumberProblem> add(const Number& a, const Number& b);
base::Result<Number, NumberProblem> subtract(const Number& a, const Number& b);
Number negate(const Number& a);
std::strong_ordering operator<=>(const Number& a, const Number& b);

}  // namespace dinette::dynamodb::model
