#include "dinette/aws/json_writer.h"

#include <array>
#include <charconv>
#include <cmath>

#include <simdjson.h>

#include "dinette/base/ascii.h"
#include "dinette/base/base64.h"

namespace dinette::aws {
namespace {

/// Combines bits without branches, so that compilers check many characters at once.
constexpr bool needs_escape(char c) {
  const bool quote = c == '"';
  const bool backslash = c == '\\';
  const bool control = static_cast<unsigned char>(c) < 0x20;
  return quote | backslash | control;
}

template <std::size_t size>
bool is_plain(const char* block) {
  unsigned char escapes = 0;
  for (std::size_t i = 0; i < size; ++i) escapes |= static_cast<unsigned char>(needs_escape(block[i]));
  return escapes == 0;
}

template <std::size_t block>
void skip_plain_blocks(std::string_view text, std::size_t& at) {
  while (at + block <= text.size() && is_plain<block>(text.data() + at)) at += block;
}

/// Returns the length of the beginning of `text` that needs no escape.
std::size_t plain_prefix(std::string_view text) {
  std::size_t at = 0;
  skip_plain_blocks<64>(text, at);
  skip_plain_blocks<16>(text, at);
  skip_plain_blocks<4>(text, at);
  while (at < text.size() && !needs_escape(text[at])) ++at;
  return at;
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    default:
      out += "\\u00";
      out += base::lower_hex_digits[static_cast<unsigned char>(c) >> 4];
      out += base::lower_hex_digits[static_cast<unsigned char>(c) & 0xF];
  }
}

}  // namespace

bool is_utf8(std::string_view text) {
  return simdjson::validate_utf8(text);
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (;;) {
    const std::size_t plain = plain_prefix(text);
    out.append(text, 0, plain);
    if (plain == text.size()) break;
    append_escaped(out, text[plain]);
    text.remove_prefix(plain + 1);
  }
  out += '"';
}

void JsonWriter::separate() {
  if (!first_ && !after_key_) out_ += ',';
  first_ = false;
  after_key_ = false;
}

void JsonWriter::open(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  out_ += bracket;
  first_ = false;
}

void JsonWriter::key(std::string_view name) {
  separate();
  out_ += '"';
  out_ += name;
  out_ += "\":";
  after_key_ = true;
}

void JsonWriter::escaped_key(std::string_view name) {
  separate();
  append_json_string(out_, name);
  out_ += ':';
  after_key_ = true;
}

void JsonWriter::string(std::string_view text) {
  separate();
  append_json_string(out_, text);
}

void JsonWriter::integer(std::int64_t value) {
  separate();
  std::array<char, 24> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  out_.append(text.data(), end);
}

void JsonWriter::floating(double value) {
  separate();
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  out_.append(text.data(), end);
  if (value == std::trunc(value) && std::abs(value) < 1e15) out_ += ".0";
}

void JsonWriter::timestamp(std::int64_t milliseconds) {
  separate();
  std::string fraction = std::to_string(1000 + milliseconds % 1000);
  fraction[0] = '.';
  out_ += std::to_string(milliseconds / 1000) + fraction;
}

void JsonWriter::blob(const Blob& value) {
  separate();
  out_ += '"';
  base::append_base64(out_, value.bytes);
  out_ += '"';
}

void JsonWriter::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
}

void JsonWriter::raw(std::string_view json) {
  separate();
  out_ += json;
}

}  // namespace dinette::aws
