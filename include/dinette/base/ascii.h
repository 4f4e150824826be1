#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

/// Characters of protocols and grammars: ASCII only, independent of the locale.
namespace dinette::base {

inline constexpr std::string_view lower_hex_digits = "0123456789abcdef";

constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_word_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_';
}
constexpr char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
constexpr char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool equal_ignoring_case(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) { return x == y || to_upper(x) == to_upper(y); };
  return std::ranges::equal(a, b, same);
}

/// Returns two lower-case hexadecimal digits per byte.
inline std::string hex(std::span<const unsigned char> bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const unsigned char byte : bytes) {
    out.push_back(lower_hex_digits[byte >> 4]);
    out.push_back(lower_hex_digits[byte & 15]);
  }
  return out;
}

}  // namespace dinette::base
