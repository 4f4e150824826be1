#include "cql/values/numbers.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "dinette/base/ascii.h"
#include "dinette/base/bytes.h"

namespace dinette::cql {
namespace {

constexpr std::size_t most_digits = 38;

std::string digits_text(Int128 magnitude) {
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + static_cast<int>(magnitude % 10)));
    magnitude /= 10;
  } while (magnitude > 0);
  std::ranges::reverse(digits);
  return digits;
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, base::is_digit);
}

/// The number that digits are; the error if there are too many.
ReadVarint number_of_digits(std::string_view digits, bool negative) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  const bool largest = digits.size() == most_digits + 1 && digits.front() == '1' &&
                       digits.find_first_not_of('0', 1) == std::string_view::npos;
  if (digits.size() > most_digits && !largest) return {std::nullopt, NumberError::out_of_range};
  Int128 number = 0;
  for (const char digit : digits) number = number * 10 + (digit - '0');
  return {negative ? -number : number};
}

/// Takes a sign from `text`. Returns true if it is a minus.
bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

std::optional<double> special_double(std::string_view text) {
  const bool negative = take_sign(text);
  if (base::equal_ignoring_case(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  if (!base::equal_ignoring_case(text, "infinity")) return std::nullopt;
  const double infinity = std::numeric_limits<double>::infinity();
  return negative ? -infinity : infinity;
}

/// Parses with the syntax of a constant, which has digits on the left of a point.
template <class Number>
std::optional<Number> floating_of(std::string_view text) {
  if (const auto special = special_double(text)) return static_cast<Number>(*special);
  std::string_view number = text;
  if (number.starts_with('+')) number.remove_prefix(1);
  Number out = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), out);
  if (end != number.data() + number.size() || number.empty()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Too large, or too small.
    return static_cast<Number>(std::strtod(std::string(number).c_str(), nullptr));
  }
  if (error != std::errc()) return std::nullopt;
  return out;
}

/// Writes the shortest digits as Java does: plain from 10^-3 up to 10^7, else with an exponent.
template <class Number>
std::string java_text(Number number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
  char buffer[64];
  const auto scientific = std::chars_format::scientific;
  auto written = std::to_chars(buffer, buffer + sizeof buffer, std::abs(number), scientific);
  // Java has two digits at least, of which the second one need not be 0: 4.9E-324.
  if (buffer[1] == 'e')
    written = std::to_chars(buffer, buffer + sizeof buffer, std::abs(number), scientific, 1);
  const std::string_view text(buffer, static_cast<std::size_t>(written.ptr - buffer));
  const std::size_t e = text.find('e');
  std::string digits(text.substr(0, 1));
  if (e > 2 && text.substr(1, e - 1) != ".0") digits += text.substr(2, e - 2);
  int exponent = std::atoi(std::string(text.substr(e + 1)).c_str());
  std::string out = std::signbit(number) ? "-" : "";
  if (number != 0 && (exponent < -3 || exponent >= 7)) {
    out.append(digits, 0, 1).append(".").append(digits.size() > 1 ? digits.substr(1) : "0");
    return out + "E" + std::to_string(exponent);
  }
  if (exponent < 0) {
    out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
    return out;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() < whole + 1) digits.append(whole + 1 - digits.size(), '0');
  return out + digits.substr(0, whole) + "." + digits.substr(whole);
}

/// Appends a number whose first byte begins with as many ones as bytes follow it, its sign in the lowest bit.
void append_vint(std::string& out, std::int64_t number) {
  const auto zigzag = (static_cast<std::uint64_t>(number) << 1) ^ static_cast<std::uint64_t>(number >> 63);
  const int bits = 64 - std::countl_zero(zigzag | 1);
  const int following = bits > 56 ? 8 : (bits - 1) / 7;
  if (following == 8) {
    out.push_back('\xFF');
    return base::append_big_endian(out, zigzag);
  }
  char bytes[8];
  base::store_big_endian(bytes, zigzag);
  const auto ones = static_cast<std::uint8_t>(0xFF00U >> following);
  bytes[7 - following] = static_cast<char>(static_cast<std::uint8_t>(bytes[7 - following]) | ones);
  out.append(bytes + 7 - following, static_cast<std::size_t>(following) + 1);
}

}  // namespace

std::string fixed_bytes(std::int64_t number, std::size_t size) {
  std::string bytes;
  base::append_big_endian(bytes, static_cast<std::uint64_t>(number));
  return bytes.substr(bytes.size() - size);
}

std::int64_t read_fixed(std::string_view bytes) {
  if (bytes.empty()) return 0;
  std::int64_t number = static_cast<signed char>(bytes.front());
  for (const char byte : bytes.substr(1)) number = number * 256 + static_cast<unsigned char>(byte);
  return number;
}

std::string varint_bytes(Int128 number) {
  std::string bytes;
  base::append_big_endian(bytes, static_cast<std::uint64_t>(number >> 64));
  base::append_big_endian(bytes, static_cast<std::uint64_t>(number));
  const char filler = number < 0 ? '\xFF' : '\0';
  std::size_t needed = std::min(bytes.find_first_not_of(filler), bytes.size() - 1);
  // The first bit is the sign.
  if (((bytes[needed] ^ filler) & '\x80') != 0) --needed;
  return bytes.substr(needed);
}

std::string decimal_bytes(const DecimalNumber& number) {
  return fixed_bytes(number.scale, 4) + varint_bytes(number.unscaled);
}

std::optional<DecimalNumber> read_decimal(std::string_view bytes) {
  if (bytes.size() < 4) return std::nullopt;
  if (bytes.size() == 4) return DecimalNumber{static_cast<std::int32_t>(read_fixed(bytes)), 0};
  const auto unscaled = read_varint(bytes.substr(4));
  if (!unscaled) return std::nullopt;
  return DecimalNumber{static_cast<std::int32_t>(read_fixed(bytes.substr(0, 4))), *unscaled};
}

ReadVarint varint_of(std::string_view text) {
  const bool negative = take_sign(text);
  if (!all_digits(text)) return {};
  return number_of_digits(text, negative);
}

ReadDecimal decimal_of(std::string_view text) {
  const bool negative = take_sign(text);
  std::int64_t exponent = 0;
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view digits = text.substr(e + 1);
    const bool below = take_sign(digits);
    if (!all_digits(digits)) return {};
    if (digits.size() > 10) return {};  // as Java has it: no number
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (below) exponent = -exponent;
    text = text.substr(0, e);
  }
  std::string digits(text);
  std::int64_t scale = -exponent;
  if (const std::size_t point = text.find('.'); point != std::string_view::npos) {
    scale += static_cast<std::int64_t>(text.size() - point - 1);
    digits.erase(point, 1);
  }
  if (!all_digits(digits)) return {};
  const bool fits =
      scale >= std::numeric_limits<std::int32_t>::min() && scale <= std::numeric_limits<std::int32_t>::max();
  const ReadVarint unscaled = number_of_digits(digits, negative);
  if (!fits) return {};
  if (!unscaled.number) return {std::nullopt, NumberError::out_of_range};
  return {DecimalNumber{static_cast<std::int32_t>(scale), *unscaled.number}};
}

std::optional<double> double_of(std::string_view text) {
  return floating_of<double>(text);
}

std::optional<float> float_of(std::string_view text) {
  return floating_of<float>(text);
}

std::string varint_text(Int128 number) {
  return number < 0 ? "-" + digits_text(-number) : digits_text(number);
}

std::string decimal_text(const DecimalNumber& number) {
  const std::string sign = number.unscaled < 0 ? "-" : "";
  std::string digits = digits_text(number.unscaled < 0 ? -number.unscaled : number.unscaled);
  const std::int64_t scale = number.scale;
  const std::int64_t exponent = static_cast<std::int64_t>(digits.size()) - 1 - scale;
  if (scale == 0) return sign + digits;
  if (scale > 0 && exponent >= -6) {
    if (exponent < 0) digits.insert(0, static_cast<std::size_t>(-exponent), '0');
    digits.insert(digits.size() - static_cast<std::size_t>(scale), ".");
    return sign + digits;
  }
  if (digits.size() > 1) digits.insert(1, ".");
  return sign + digits + "E" + (exponent >= 0 ? "+" : "") + std::to_string(exponent);
}

std::string plain_decimal_text(const DecimalNumber& number) {
  if (number.scale >= 0 || number.unscaled == 0) {
    const auto scale = static_cast<std::size_t>(std::max(number.scale, 0));
    std::string digits = digits_text(number.unscaled < 0 ? -number.unscaled : number.unscaled);
    if (digits.size() <= scale) digits.insert(0, scale + 1 - digits.size(), '0');
    if (scale > 0) digits.insert(digits.size() - scale, ".");
    return (number.unscaled < 0 ? "-" : "") + digits;
  }
  const auto zeros = static_cast<std::size_t>(-std::int64_t{number.scale});
  return varint_text(number.unscaled) + std::string(zeros, '0');
}

std::string double_text(double number) {
  return java_text(number);
}

std::string float_text(float number) {
  return java_text(number);
}

std::string double_bytes(double number) {
  std::string bytes;
  base::append_big_endian(bytes, std::bit_cast<std::uint64_t>(number));
  return bytes;
}

std::string float_bytes(float number) {
  std::string bytes;
  base::append_big_endian(bytes, std::bit_cast<std::uint32_t>(number));
  return bytes;
}

double read_double(std::string_view bytes) {
  if (bytes.size() != sizeof(double)) return 0;
  return std::bit_cast<double>(base::load_big_endian<std::uint64_t>(bytes.data()));
}

float read_float(std::string_view bytes) {
  if (bytes.size() != sizeof(float)) return 0;
  return std::bit_cast<float>(base::load_big_endian<std::uint32_t>(bytes.data()));
}

std::string duration_bytes(const Duration& duration) {
  std::string bytes;
  append_vint(bytes, duration.months);
  append_vint(bytes, duration.days);
  append_vint(bytes, duration.nanoseconds);
  return bytes;
}

}  // namespace dinette::cql
