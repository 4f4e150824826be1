// Numbers as text: the two generations' reading, and the one canonical form (docs/service/values.md section
// 2).

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>

#include "dinette/base/ascii.h"

#include "dynamodb/model/decimal.h"
#include "dynamodb/model/number.h"

namespace dinette::dynamodb::model {
namespace {

/// The digits before the exponent. Leading and trailing zeros are not significant, so trailing ones are
/// only counted until another digit shows that they were not trailing.
struct Mantissa {
  Number::Coefficient coefficient = 0;  ///< the significant digits, while there are at most 38
  std::int64_t digits = 0;              ///< significant ones
  std::int64_t trailing_zeros = 0;
  std::int64_t fraction = 0;  ///< digits written after the point, zeros included

  void append(char digit) {
    if (digit == '0') {
      if (digits != 0) ++trailing_zeros;
      return;
    }
    digits += trailing_zeros + 1;
    if (digits <= Number::max_digits) {
      coefficient = coefficient * power_of_ten(trailing_zeros + 1) + static_cast<unsigned>(digit - '0');
    }
    trailing_zeros = 0;
  }
};

/// Reads `digits [. digits]`, at least one digit in all, from the front of `text`.
std::optional<Mantissa> take_mantissa(std::string_view& text) {
  Mantissa mantissa;
  const char* at = text.data();
  const char* const end = at + text.size();
  const char* const begin = at;
  for (; at != end && base::is_digit(*at); ++at) mantissa.append(*at);
  auto written = at - begin;
  if (at != end && *at == '.') {
    const char* const behind_point = ++at;
    for (; at != end && base::is_digit(*at); ++at) mantissa.append(*at);
    mantissa.fraction = at - behind_point;
    written += mantissa.fraction;
  }
  if (written == 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(at - begin));
  return mantissa;
}

/// Reads all of `text` as an exponent: nothing, or `e [sign] digits` within 64 bits.
std::optional<std::int64_t> read_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  std::int64_t exponent = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, exponent);
  if (error != std::errc() || stopped != end) return std::nullopt;
  return exponent;
}

bool fits_32_bits(std::int64_t value) {
  return value >= std::numeric_limits<std::int32_t>::min() &&
         value <= std::numeric_limits<std::int32_t>::max();
}

std::optional<NumberProblem> check_magnitude(std::int64_t magnitude) {
  if (magnitude > Number::max_magnitude) return NumberProblem::overflow;
  if (magnitude < Number::min_magnitude) return NumberProblem::underflow;
  return std::nullopt;
}

/// The older generation uses 32-bit scales: what does not fit is not a number, and the place of the leading
/// digit wraps around.
std::optional<NumberProblem> check_range_older(const Mantissa& mantissa, std::int64_t exponent) {
  if (!fits_32_bits(exponent)) return NumberProblem::not_numeric;
  const std::int64_t scale = mantissa.fraction - exponent;
  if (!fits_32_bits(scale)) return NumberProblem::not_numeric;
  if (mantissa.digits == 0) return check_magnitude(exponent);
  const auto places = static_cast<std::int32_t>(mantissa.digits + mantissa.trailing_zeros - scale);
  return check_magnitude(std::int64_t{places} - 1);
}

/// For a zero, checks the exponent written after it.
std::optional<NumberProblem> check_range_current(const Mantissa& mantissa, std::int64_t exponent) {
  if (mantissa.digits == 0) return check_magnitude(exponent);
  constexpr std::int64_t far = std::int64_t{1} << 62;  // beyond any mantissa's length, and safe to add to
  exponent = std::clamp(exponent, -far, far);
  return check_magnitude(exponent - mantissa.fraction + mantissa.digits + mantissa.trailing_zeros - 1);
}

}  // namespace

base::Result<Number, NumberProblem> Number::parse(std::string_view text, Generation generation) {
  if (text.empty()) return base::Failure{NumberProblem::empty};
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  const auto mantissa = take_mantissa(text);
  if (!mantissa) return base::Failure{NumberProblem::not_numeric};
  const auto exponent = read_exponent(text);
  if (!exponent) return base::Failure{NumberProblem::not_numeric};

  const auto problem = generation == Generation::older ? check_range_older(*mantissa, *exponent)
                                                       : check_range_current(*mantissa, *exponent);
  if (problem) return base::Failure{*problem};
  if (mantissa->digits > max_digits) return base::Failure{NumberProblem::too_precise};
  if (mantissa->digits == 0) return Number();
  return Number(negative, mantissa->coefficient,
                static_cast<int>(*exponent - mantissa->fraction + mantissa->trailing_zeros));
}

std::string Number::to_string() const {
  std::string text;
  append_to(text);
  return text;
}

void Number::append_to(std::string& out) const {
  if (is_zero()) {
    out += '0';
    return;
  }
  DigitBuffer buffer;
  const auto all = write_digits(coefficient(), buffer);
  if (negative_) out += '-';
  if (exponent_ >= 0) {
    out.append(all).append(static_cast<std::size_t>(exponent_), '0');
    return;
  }
  const int whole = static_cast<int>(all.size()) + exponent_;
  if (whole > 0) {
    const auto point = static_cast<std::size_t>(whole);
    out.append(all.substr(0, point)).append(1, '.').append(all.substr(point));
  } else {
    out.append("0.").append(static_cast<std::size_t>(-whole), '0').append(all);
  }
}

std::string message(NumberProblem problem, std::string_view text, Generation generation) {
  constexpr std::string_view cannot_convert = "The parameter cannot be converted to a numeric value";
  switch (problem) {
    case NumberProblem::overflow:
      return "Number overflow. Attempting to store a number with magnitude larger than supported range";
    case NumberProblem::underflow:
      return "Number underflow. Attempting to store a number with magnitude smaller than supported range";
    case NumberProblem::too_precise:
      return "Attempting to store more than " + std::to_string(Number::max_digits) +
             " significant digits in a Number";
    case NumberProblem::empty:
      return std::string(cannot_convert).append(generation == Generation::current ? ": " : "");
    case NumberProblem::not_numeric:
      break;
  }
  return std::string(cannot_convert).append(": ").append(text);
}

}  // namespace dinette::dynamodb::model
