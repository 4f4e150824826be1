#include "dynamodb/codec/attribute_cursor.h"

#include <stdexcept>

#include <simdjson.h>

namespace dinette::dynamodb::codec {
namespace {

[[noreturn]] void throw_unreadable() {
  throw std::runtime_error("a stored item does not read as one");
}

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

/// The position behind the object that opens at `open`.
std::size_t end_of_object(std::string_view text, std::size_t open) {
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

}  // namespace

bool AttributeCursor::next() {
  // In front of an attribute stands the item's brace, or a comma.
  const char mark = at(text_, end_);
  if (mark == '}' || text_ == "{}") return false;
  begin_ = end_ + 1;
  if (at(text_, begin_) != '"') throw_unreadable();
  const std::size_t name_end = end_of_string(text_, begin_);
  read_name(text_.substr(begin_, name_end - begin_));
  if (at(text_, name_end) != ':' || at(text_, name_end + 1) != '{') throw_unreadable();
  end_ = end_of_object(text_, name_end + 1);
  return true;
}

void AttributeCursor::read_name(std::string_view quoted) {
  name_ = quoted.substr(1, quoted.size() - 2);
  if (name_.find('\\') == std::string_view::npos) return;
  simdjson::dom::parser parser;
  std::string_view unescaped;
  if (parser.parse(quoted.data(), quoted.size()).get(unescaped) != simdjson::SUCCESS) throw_unreadable();
  unescaped_name_ = unescaped;
  name_ = unescaped_name_;
}

}  // namespace dinette::dynamodb::codec
