#include "dynamodb/model/float_vector.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <system_error>

#include "dynamodb/model/decimal.h"

namespace dinette::dynamodb::model {
namespace {

static_assert(std::endian::native == std::endian::little, "floats are kept with their lowest byte first");

/// Numbers with fewer digits before their point are all within reach of a 32-bit float.
constexpr int digits_of_largest = 39;

/// Returns the float by one division or multiplication of two floats, both exact; nothing for other numbers.
std::optional<float> to_float_at_once(const Number& number) {
  constexpr std::array<float, 11> powers = {1e0F, 1e1F, 1e2F, 1e3F, 1e4F, 1e5F,
                                            1e6F, 1e7F, 1e8F, 1e9F, 1e10F};
  constexpr Number::Coefficient largest_exact = 1U << 24;
  const int exponent = number.exponent();
  const int most = static_cast<int>(powers.size()) - 1;
  if (number.coefficient() > largest_exact || exponent < -most || exponent > most) return std::nullopt;
  const auto digits = static_cast<float>(static_cast<std::uint32_t>(number.coefficient()));
  const float value = exponent < 0 ? digits / powers[static_cast<std::size_t>(-exponent)]
                                   : digits * powers[static_cast<std::size_t>(exponent)];
  return number.negative() ? -value : value;
}

}  // namespace

std::optional<float> to_float(const Number& number) {
  if (const auto value = to_float_at_once(number)) return value;
  DigitBuffer digits;
  const std::string_view coefficient = write_digits(number.coefficient(), digits);
  char text[64];
  char* end = text;
  if (number.negative()) *end++ = '-';
  end = std::copy(coefficient.begin(), coefficient.end(), end);
  *end++ = 'e';
  end = std::to_chars(end, std::end(text), number.exponent()).ptr;
  float value = 0;
  const auto read = std::from_chars(text, end, value);
  if (read.ec == std::errc()) return value;
  const bool beyond = number.digits() + number.exponent() > 0;
  return beyond ? std::nullopt : std::optional(0.0F);  // or it is next to zero
}

Number from_float(float value) {
  char text[64];
  const auto written = std::to_chars(text, std::end(text), value);
  return Number::parse({text, static_cast<std::size_t>(written.ptr - text)}).value();
}

bool is_float_vector(const AttributeValue& value, std::size_t dimensions) {
  const auto* list = value.get_if<List>();
  if (!list || list->size() != dimensions) return false;
  return std::ranges::all_of(*list, [](const AttributeValue& element) {
    const auto* number = element.get_if<Number>();
    if (!number) return false;
    return number->digits() + number->exponent() < digits_of_largest || to_float(*number).has_value();
  });
}

std::optional<std::string> encode_floats(const AttributeValue& value, std::size_t dimensions) {
  const auto* list = value.get_if<List>();
  if (!list || list->size() != dimensions) return std::nullopt;
  std::string bytes(dimensions * sizeof(float), '\0');
  char* next = bytes.data();
  for (const AttributeValue& element : *list) {
    const auto* number = element.get_if<Number>();
    const std::optional<float> converted = number ? to_float(*number) : std::nullopt;
    if (!converted) return std::nullopt;
    std::memcpy(next, &*converted, sizeof(float));
    next += sizeof(float);
  }
  return bytes;
}

std::string scientific_text(const Number& number) {
  DigitBuffer buffer;
  const std::string_view digits = write_digits(number.coefficient(), buffer);
  std::string text = number.negative() ? "-" : "";
  text += digits.front();
  if (digits.size() > 1) text.append(".").append(digits.substr(1));
  return text + "E+" + std::to_string(number.digits() + number.exponent() - 1);
}

}  // namespace dinette::dynamodb::model
