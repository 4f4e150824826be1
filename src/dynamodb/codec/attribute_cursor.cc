#include "dynamodb/codec/attribute_cursor.h"

#include <new>
#include <stdexcept>

#include <simdjson.h>

namespace dinette::dynamodb::codec {
namespace {

char at(std::string_view text, std::size_t position) {
  if (position >= text.size()) throw_unreadable();
  return text[position];
}

/// The position behind the string whose opening quote is at `open`.
std::size_t end_of_string(std::string_view text, std::size_t open) {
  for (std::size_t quote = open;;) {
    quote = text.find('"', quote + 1);
    if (quote == std::string_view::npos) throw_unreadable();
    // With an odd number of backslashes in front it belongs to the string.
    const std::size_t before = text.find_last_not_of('\\', quote - 1);
    if ((quote - before) % 2 == 1) return quote + 1;
  }
}

/// The position behind the brackets that open at `open`.
std::size_t end_of_brackets(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t position = open;;) {
    switch (at(text, position)) {
      case '"':
        position = end_of_string(text, position);
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (--depth == 0) return position + 1;
        break;
      default:
        break;
    }
    ++position;
  }
}

/// The position behind the value, `{"S":"text"}`, that opens at `open`.
std::size_t end_of_value(std::string_view text, std::size_t open) {
  std::size_t type_end = open;
  while (at(text, type_end) != ':') ++type_end;  // names of types are too short for a call of memchr
  if (at(text, type_end + 1) != '"') return end_of_brackets(text, open);
  const std::size_t end = end_of_string(text, type_end + 1);
  if (at(text, end) != '}') throw_unreadable();
  return end + 1;
}

}  // namespace

void throw_unreadable() {
  throw std::runtime_error("a stored item does not read as one");
}

bool AttributeCursor::next() {
  // In front of an attribute stands the item's brace, or a comma.
  if (at(text_, end_) == '}' || text_ == "{}") return false;
  begin_ = end_ + 1;
  if (at(text_, begin_) != '"') throw_unreadable();
  const std::size_t name_end = read_name();
  if (at(text_, name_end) != ':' || at(text_, name_end + 1) != '{') throw_unreadable();
  end_ = end_of_value(text_, name_end + 1);
  return true;
}

/// Returns the position behind the name's closing quote.
std::size_t AttributeCursor::read_name() {
  std::size_t quote = begin_ + 1;
  while (at(text_, quote) != '"' && text_[quote] != '\\') ++quote;  // most names are short
  name_ = text_.substr(begin_ + 1, quote - begin_ - 1);
  return text_[quote] == '"' ? quote + 1 : read_escaped_name();
}

std::size_t AttributeCursor::read_escaped_name() {
  const std::size_t end = end_of_string(text_, begin_);
  simdjson::dom::parser parser;
  std::string_view unescaped;
  const simdjson::error_code failure = parser.parse(text_.data() + begin_, end - begin_).get(unescaped);
  if (failure == simdjson::MEMALLOC) throw std::bad_alloc();
  if (failure != simdjson::SUCCESS) throw_unreadable();
  unescaped_name_ = unescaped;
  name_ = unescaped_name_;
  return end;
}

}  // namespace dinette::dynamodb::codec
