#pragma once

#include <algorithm>
#include <string_view>

/// Characters as the expression grammar sees them: ASCII alone, whatever the locale.
namespace dinette::dynamodb::expr {

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

constexpr bool equal_ignoring_case(std::string_view text, std::string_view upper_case) {
  return std::ranges::equal(text, upper_case, {}, to_upper);
}

/// Bytes of the UTF-8 character that starts at `position`, cut at the end of the text.
constexpr std::size_t character_length(std::string_view text, std::size_t position) {
  std::size_t end = position + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return end - position;
}

}  // namespace dinette::dynamodb::expr
