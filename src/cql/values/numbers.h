#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cql/types/parts.h"

/// Numbers as bytes of values, and as texts.
namespace dinette::cql {

/// Appends so many bytes of a number in two's complement.
std::string fixed_bytes(std::int64_t number, std::size_t size);
/// Reads one of 1 to 8 bytes.
std::int64_t read_fixed(std::string_view bytes);

/// Returns the fewest bytes in two's complement.
std::string varint_bytes(Int128 number);

/// A decimal number: unscaled * 10^-scale.
struct DecimalNumber {
  std::int32_t scale = 0;
  Int128 unscaled = 0;
};

std::string decimal_bytes(const DecimalNumber& number);
/// Returns nullopt for no bytes, or if there are more than 38 digits.
std::optional<DecimalNumber> read_decimal(std::string_view bytes);

/// Why a text is no number of a type.
enum class NumberError : std::uint8_t { malformed, out_of_range };
struct ReadVarint {
  std::optional<Int128> number{};
  NumberError error = NumberError::malformed;
};
/// Reads digits, with or without a sign.
ReadVarint varint_of(std::string_view text);
struct ReadDecimal {
  std::optional<DecimalNumber> number{};
  NumberError error = NumberError::malformed;
};
/// Reads "-1.50e3".
ReadDecimal decimal_of(std::string_view text);
/// Reads a floating number; also "NaN", "Infinity" and "-Infinity", in any case.
std::optional<double> double_of(std::string_view text);
std::optional<float> float_of(std::string_view text);

std::string varint_text(Int128 number);
/// As Java's BigDecimal writes it.
std::string decimal_text(const DecimalNumber& number);
/// The same without an exponent, as its toPlainString().
std::string plain_decimal_text(const DecimalNumber& number);
/// As Java writes them: "1.0", "1.0E10", "NaN".
std::string double_text(double number);
std::string float_text(float number);

std::string double_bytes(double number);
std::string float_bytes(float number);
double read_double(std::string_view bytes);
float read_float(std::string_view bytes);

/// Appends three variable-length numbers.
std::string duration_bytes(const Duration& duration);

}  // namespace dinette::cql
