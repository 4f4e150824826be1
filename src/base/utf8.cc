#include "dinette/base/utf8.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>

#include <boost/locale/utf.hpp>

namespace dinette::base {
namespace {

using Utf8 = boost::locale::utf::utf_traits<char>;

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

/// Takes the first character of `text`, which is not empty; a single byte, and nothing, if it is not UTF-8.
std::optional<char32_t> take_character(std::string_view& text) {
  auto next = text.begin();
  const auto character = Utf8::decode(next, text.end());
  const bool valid = boost::locale::utf::is_valid_codepoint(character);
  text.remove_prefix(valid ? static_cast<std::size_t>(next - text.begin()) : 1);
  return valid ? std::optional<char32_t>(character) : std::nullopt;
}

/// Control characters, separators of lines, and what overrides the direction of writing.
bool is_disruptive(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

std::string escaped(char32_t c) {
  switch (c) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  std::array<char, sizeof "\\u0000"> text;
  std::snprintf(text.data(), text.size(), "\\u%04x", static_cast<unsigned>(c & 0xFFFF));
  return text.data();
}

/// Skips bytes of ASCII, most of a text as a rule, in words.
void skip_ascii(std::string_view& text) {
  constexpr std::uint64_t high_bits = 0x8080'8080'8080'8080;
  std::uint64_t word = 0;
  while (text.size() >= sizeof word) {
    std::memcpy(&word, text.data(), sizeof word);
    if ((word & high_bits) != 0) return;
    text.remove_prefix(sizeof word);
  }
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0x80) == 0) text.remove_prefix(1);
}

}  // namespace

std::size_t utf16_length(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0) != 0x80;  // every byte that starts a character
    units += byte >= 0xF0;           // a character of four bytes is a surrogate pair
  }
  return units;
}

bool is_utf8(std::string_view text) {
  for (skip_ascii(text); !text.empty(); skip_ascii(text)) {
    if (!take_character(text)) return false;
  }
  return true;
}

std::string shortened(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return std::string(text.substr(0, bytes)) + "...";
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view before = text;
    const bool valid = take_character(text).has_value();
    out += valid ? before.substr(0, before.size() - text.size()) : replacement;
  }
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view before = text;
    const auto character = take_character(text);
    if (!character) {
      out += replacement;
    } else if (*character == '\\') {
      out += "\\\\";
    } else if (is_disruptive(*character)) {
      out += escaped(*character);
    } else {
      out += before.substr(0, before.size() - text.size());
    }
  }
  return out;
}

}  // namespace dinette::base
