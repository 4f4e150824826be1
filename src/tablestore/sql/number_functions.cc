#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

#include "tablestore/sql/functions.h"

namespace dinette::tablestore::sql {
namespace {

SqlValue real_or_null(double number) {
  return std::isfinite(number) ? SqlValue(number) : SqlValue();
}

/// Of one number; what has no result is NULL.
template <double (*compute)(double)>
SqlValue of_number(Arguments arguments, const Environment&) {
  return real_or_null(compute(*number_of(arguments[0])));
}

/// Integers stay what they are.
template <double (*compute)(double)>
SqlValue rounded_whole(Arguments arguments, const Environment&) {
  if (const auto* const whole = std::get_if<std::int64_t>(&arguments[0])) return *whole;
  return real_or_null(compute(*number_of(arguments[0])));
}

SqlValue abs(Arguments arguments, const Environment&) {
  const auto* const whole = std::get_if<std::int64_t>(&arguments[0]);
  if (whole == nullptr) return real_or_null(std::abs(*number_of(arguments[0])));
  if (*whole == std::numeric_limits<std::int64_t>::min()) return {};
  return *whole < 0 ? -*whole : *whole;
}

SqlValue sign(Arguments arguments, const Environment&) {
  const double number = *number_of(arguments[0]);
  return std::int64_t{number < 0 ? -1 : number > 0 ? 1 : 0};
}

/// Halves are rounded away from zero, also those that are not exact, such as 1.005 by two digits.
double to_nearest(double number) {
  constexpr double exact = 1e14;
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (std::abs(number) >= exact) return std::round(number);
  return std::round(std::nextafter(number, std::copysign(infinity, number)));
}

double to_zero(double number) {
  return std::trunc(number);
}

/// Of an integer, of which so many digits before the point become zero. Halves are rounded away from zero.
SqlValue whole_digits(std::int64_t number, std::int64_t digits, bool rounds) {
  if (digits >= 0) return number;
  if (digits < -18) return std::int64_t{0};
  std::int64_t unit = 1;
  for (std::int64_t i = digits; i < 0; ++i) unit *= 10;
  std::int64_t units = number / unit;
  const std::int64_t rest = number % unit;
  if (rounds && (rest < 0 ? -rest : rest) >= unit / 2) units += number < 0 ? -1 : 1;
  std::int64_t result = 0;
  return __builtin_mul_overflow(units, unit, &result) ? SqlValue() : SqlValue(result);
}

template <double (*nearest)(double)>
SqlValue with_digits(Arguments arguments, const Environment&) {
  const auto digits = arguments.size() > 1 ? whole_argument(arguments[1]) : std::optional<std::int64_t>(0);
  if (!digits) return {};
  if (const auto* const whole = std::get_if<std::int64_t>(&arguments[0]))
    return whole_digits(*whole, *digits, nearest(0.75) > 0);
  const double number = *number_of(arguments[0]);
  constexpr std::int64_t most_digits = 300;
  if (*digits > most_digits) return number;
  if (*digits < -most_digits) return 0.0;
  const double unit = std::pow(10.0, static_cast<double>(*digits < 0 ? -*digits : *digits));
  const double scaled = *digits < 0 ? number / unit : number * unit;
  if (!std::isfinite(scaled)) return number;
  const double result = nearest(scaled);
  return real_or_null(*digits < 0 ? result * unit : result / unit);
}

SqlValue power(Arguments arguments, const Environment&) {
  return real_or_null(std::pow(*number_of(arguments[0]), *number_of(arguments[1])));
}

SqlValue modulo(Arguments arguments, const Environment&) {
  const auto* const a = std::get_if<std::int64_t>(&arguments[0]);
  const auto* const b = std::get_if<std::int64_t>(&arguments[1]);
  if (a != nullptr && b != nullptr) {
    if (*b == 0) return {};
    return *b == -1 ? std::int64_t{0} : *a % *b;
  }
  return real_or_null(std::fmod(*number_of(arguments[0]), *number_of(arguments[1])));
}

double natural_logarithm(double number) {
  return number > 0 ? std::log(number) : std::nan("");
}

double binary_logarithm(double number) {
  return number > 0 ? std::log2(number) : std::nan("");
}

double decimal_logarithm(double number) {
  return number > 0 ? std::log10(number) : std::nan("");
}

/// With two arguments the first one is the base.
SqlValue logarithm(Arguments arguments, const Environment&) {
  const double first = natural_logarithm(*number_of(arguments[0]));
  if (arguments.size() == 1) return real_or_null(first);
  return real_or_null(natural_logarithm(*number_of(arguments[1])) / first);
}

double degrees(double radians) {
  return radians * 180 / std::numbers::pi;
}

double radians(double degrees) {
  return degrees * std::numbers::pi / 180;
}

double cotangent(double number) {
  return 1 / std::tan(number);
}

SqlValue arc_tangent(Arguments arguments, const Environment&) {
  const double y = *number_of(arguments[0]);
  return real_or_null(arguments.size() == 1 ? std::atan(y) : std::atan2(y, *number_of(arguments[1])));
}

SqlValue pi(Arguments, const Environment&) {
  return std::numbers::pi;
}

/// Returns the integer that a text begins with; of one that is too large the nearest that there is.
std::int64_t integer_at_front(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n\r"), text.size()));
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t number = 0;
  const auto error = std::from_chars(text.data(), text.data() + text.size(), number).ec;
  if (error != std::errc::result_out_of_range) return number;
  using Limits = std::numeric_limits<std::int64_t>;
  return text.starts_with('-') ? Limits::min() : Limits::max();
}

/// Texts are read as integers; other numbers are rounded. What is too large is the nearest integer.
SqlValue cast_to_whole(Arguments arguments, const Environment&) {
  const SqlValue& value = arguments[0];
  const bool is_text = std::holds_alternative<std::string>(value) || std::holds_alternative<Bytes>(value);
  if (is_text) return integer_at_front(text_of(value));
  const auto* const whole = std::get_if<std::int64_t>(&value);
  return whole != nullptr ? *whole : nearest_whole(*number_of(value));
}

/// Of a value, how many digits there are, and how many of them after the point. A number with more of them
/// is the greatest one.
SqlValue cast_to_decimal(Arguments arguments, const Environment& environment) {
  const std::array<SqlValue, 2> number{*number_of(arguments[0]), arguments[2]};
  const SqlValue rounded = with_digits<to_nearest>(number, environment);
  const auto all = whole_argument(arguments[1]);
  const auto after_point = whole_argument(arguments[2]);
  if (is_null(rounded) || !all || !after_point) return {};
  const double unit = std::pow(10.0, -static_cast<double>(*after_point));
  const double greatest = std::pow(10.0, static_cast<double>(*all - *after_point)) - unit;
  return std::clamp(*number_of(rounded), -greatest, greatest);
}

SqlValue cast_to_real(Arguments arguments, const Environment&) {
  return real_or_null(*number_of(arguments[0]));
}

constexpr std::array known_number_functions{
    Function{"abs", 1, 1, Returns::values, false, abs},
    Function{"sign", 1, 1, Returns::whole, false, sign},
    Function{"ceil", 1, 1, Returns::values, false, rounded_whole<std::ceil>},
    Function{"ceiling", 1, 1, Returns::values, false, rounded_whole<std::ceil>},
    Function{"floor", 1, 1, Returns::values, false, rounded_whole<std::floor>},
    Function{"round", 1, 2, Returns::values, false, with_digits<to_nearest>},
    Function{"truncate", 2, 2, Returns::values, false, with_digits<to_zero>},
    Function{"mod", 2, 2, Returns::values, false, modulo},
    Function{"pow", 2, 2, Returns::real, false, power},
    Function{"power", 2, 2, Returns::real, false, power},
    Function{"sqrt", 1, 1, Returns::real, false, of_number<std::sqrt>},
    Function{"exp", 1, 1, Returns::real, false, of_number<std::exp>},
    Function{"ln", 1, 1, Returns::real, false, of_number<natural_logarithm>},
    Function{"log", 1, 2, Returns::real, false, logarithm},
    Function{"log2", 1, 1, Returns::real, false, of_number<binary_logarithm>},
    Function{"log10", 1, 1, Returns::real, false, of_number<decimal_logarithm>},
    Function{"sin", 1, 1, Returns::real, false, of_number<std::sin>},
    Function{"cos", 1, 1, Returns::real, false, of_number<std::cos>},
    Function{"tan", 1, 1, Returns::real, false, of_number<std::tan>},
    Function{"cot", 1, 1, Returns::real, false, of_number<cotangent>},
    Function{"asin", 1, 1, Returns::real, false, of_number<std::asin>},
    Function{"acos", 1, 1, Returns::real, false, of_number<std::acos>},
    Function{"atan", 1, 2, Returns::real, false, arc_tangent},
    Function{"atan2", 2, 2, Returns::real, false, arc_tangent},
    Function{"degrees", 1, 1, Returns::real, false, of_number<degrees>},
    Function{"radians", 1, 1, Returns::real, false, of_number<radians>},
    Function{"pi", 0, 0, Returns::real, false, pi},
    Function{"cast signed", 1, 1, Returns::whole, false, cast_to_whole},
    Function{"cast unsigned", 1, 1, Returns::whole, false, cast_to_whole},
    Function{"cast decimal", 3, 3, Returns::real, false, cast_to_decimal},
    Function{"cast double", 1, 1, Returns::real, false, cast_to_real},
};

}  // namespace

std::span<const Function> number_functions() {
  return known_number_functions;
}

}  // namespace dinette::tablestore::sql
