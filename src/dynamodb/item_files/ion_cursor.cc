#include "dynamodb/item_files/ion_cursor.h"

#include <algorithm>
#include <charconv>

#include "dinette/base/ascii.h"

namespace dinette::dynamodb::item_files {
namespace {

constexpr std::string_view white = " \t\n\r\v\f";
constexpr std::string_view long_quote = "'''";

void append_utf8(std::string& out, char32_t code) {
  const auto append = [&](char32_t byte) { out += static_cast<char>(byte); };
  const auto append_rest = [&](int shift) { append(0x80 | ((code >> shift) & 0x3f)); };
  if (code < 0x80) return append(code);
  if (code < 0x800) {
    append(0xc0 | (code >> 6));
  } else {
    if (code < 0x10000) {
      append(0xe0 | (code >> 12));
    } else {
      append(0xf0 | (code >> 18));
      append_rest(12);
    }
    append_rest(6);
  }
  append_rest(0);
}

bool is_high_surrogate(char32_t code) {
  return code >= 0xd800 && code < 0xdc00;
}

bool is_low_surrogate(char32_t code) {
  return code >= 0xdc00 && code < 0xe000;
}

}  // namespace

base::Failure<std::string> not_ion(std::string_view why) {
  return {"is not Ion (" + std::string(why) + ")"};
}

bool is_ion_space(char c) {
  return white.find(c) != std::string_view::npos;
}

void IonCursor::skip_space() {
  at_ = std::min(text_.find_first_not_of(white, at_), text_.size());
}

void IonCursor::skip_white() {
  for (;;) {
    skip_space();
    std::size_t end = std::string_view::npos;
    if (sees("//")) {
      end = std::min(text_.find('\n', at_), text_.size());
    } else if (sees("/*")) {
      end = text_.find("*/", at_ + 2);
      if (end != std::string_view::npos) end += 2;
    }
    if (end == std::string_view::npos) return;
    at_ = end;
  }
}

bool IonCursor::take(std::string_view token) {
  const bool found = sees(token);
  if (found) at_ += token.size();
  return found;
}

std::string_view IonCursor::word() {
  const std::string_view rest = text_.substr(at_);
  const auto end =
      std::ranges::find_if_not(rest, [](char c) { return base::is_word_character(c) || c == '$'; });
  const std::string_view found = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  at_ += found.size();
  return found;
}

std::string_view IonCursor::number() {
  constexpr std::string_view stops = " \t\n\r\v\f{}[](),\"'/";
  const std::string_view found = text_.substr(at_, text_.find_first_of(stops, at_) - at_);
  at_ += found.size();
  return found;
}

Outcome<std::string_view> IonCursor::up_to(std::string_view token) {
  const std::size_t end = text_.find(token, at_);
  if (end == std::string_view::npos) return not_ion("a value does not end");
  const std::string_view found = text_.substr(at_, end - at_);
  at_ = end + token.size();
  return found;
}

Outcome<std::string> IonCursor::text() {
  std::string out;
  if (!sees(long_quote)) {
    const std::string_view quote = text_.substr(at_++, 1);
    DINETTE_CHECK(quoted(out, quote));
    return out;
  }
  while (take(long_quote)) {
    DINETTE_CHECK(quoted(out, long_quote));
    skip_white();
  }
  return out;
}

/// Reads what is before the closing quote, and the quote.
Outcome<void> IonCursor::quoted(std::string& out, std::string_view quote) {
  const bool may_have_lines = quote == long_quote;
  for (;;) {
    if (at_end()) return not_ion("a text does not end");
    if (take(quote)) return {};
    const char c = text_[at_++];
    if (c == '\\') {
      DINETTE_CHECK(escape(out));
    } else if (c == '\n' && !may_have_lines) {
      return not_ion("a text does not end on its line");
    } else if (c != '\r' || peek() != '\n') {  // lines end with LF, however they end in the file
      out += c;
    }
  }
}

Outcome<void> IonCursor::escape(std::string& out) {
  constexpr std::string_view letters = "0abtnfrv\"'?\\/";
  constexpr std::string_view meanings{"\0\a\b\t\n\f\r\v\"'?\\/", letters.size()};
  if (take("\r\n") || take("\n") || take("\r")) return {};  // the text continues in the next line
  if (at_end()) return not_ion("a text does not end");
  const char letter = peek();
  ++at_;
  if (const std::size_t found = letters.find(letter); found != std::string_view::npos) {
    out += meanings[found];
    return {};
  }
  const std::size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  if (digits == 0) return not_ion("an escape is unknown");
  DINETTE_TRY(const char32_t code, code_point(digits));
  append_utf8(out, code);
  return {};
}

Outcome<char32_t> IonCursor::code_point(std::size_t digits) {
  DINETTE_TRY(const char32_t code, hex(digits));
  if (is_high_surrogate(code) && take("\\u")) {
    DINETTE_TRY(const char32_t low, hex(4));
    if (is_low_surrogate(low)) return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    return not_ion("an escape is half a character");
  }
  if (is_high_surrogate(code) || is_low_surrogate(code)) return not_ion("an escape is half a character");
  if (code > 0x10ffff) return not_ion("an escape is no character");
  return code;
}

Outcome<char32_t> IonCursor::hex(std::size_t digits) {
  const std::string_view text = text_.substr(std::min(at_, text_.size()), digits);
  std::uint32_t code = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code, 16);
  if (error != std::errc() || text.size() != digits || end != text.data() + digits)
    return not_ion("an escape has too few digits");
  at_ += digits;
  return char32_t{code};
}

}  // namespace dinette::dynamodb::item_files
