#include "tablestore/search/field_value.h"

#include <array>
#include <charconv>
#include <cmath>

namespace dinette::tablestore::search {
namespace {

/// Returns the shortest text that reads as the number, with a fraction.
std::string text_of_real(double number) {
  constexpr double longest_plain = 1e16;
  std::array<char, 400> digits;
  const bool plain = std::abs(number) < longest_plain;
  const auto end =
      plain
          ? std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed).ptr
          : std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  std::string text(digits.data(), end);
  if (plain && text.find('.') == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::partial_ordering compare(const FieldValue& a, const FieldValue& b) {
  if (a.index() == b.index()) return a <=> b;
  const auto left = number_of(a);
  const auto right = number_of(b);
  if (!left || !right) return std::partial_ordering::unordered;
  return *left <=> *right;
}

std::optional<double> number_of(const FieldValue& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* const real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

std::string text_of(const FieldValue& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* const real = std::get_if<double>(&value)) return text_of_real(*real);
  if (const auto* const truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* const address = std::get_if<IpAddress>(&value)) return *address;
  return std::get<std::string>(value);
}

}  // namespace dinette::tablestore::search
