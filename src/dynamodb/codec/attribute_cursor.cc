#include "dynamodb/codec/attribute_cursor.h"

#include <simdjson.h>

#include "dinette/base/per_thread.h"

#include "dynamodb/codec/parser_in_use.h"
#include "dynamodb/codec/record_layout.h"

namespace dinette::dynamodb::codec {

AttributeCursor::AttributeCursor(std::string_view record)
    : ends_(record_ends(record)), text_(record_text(record)) {}

bool AttributeCursor::next() {
  if (ends_.empty()) return false;
  // In front of an attribute stands the item's brace, or a comma.
  begin_ = end_ + 1;
  end_ = take_end(ends_);
  if (end_ <= begin_ || end_ >= text_.size() || text_[begin_] != '"') throw_unreadable();
  read_name();
  return true;
}

void AttributeCursor::read_name() {
  std::size_t quote = begin_ + 1;
  while (quote < end_ && text_[quote] != '"' && text_[quote] != '\\') ++quote;  // most names are short
  if (quote == end_) throw_unreadable();
  name_ = text_.substr(begin_ + 1, quote - begin_ - 1);
  if (text_[quote] == '\\') quote = read_escaped_name();
  if (end_ - quote < std::string_view(R"(":{"S":)").size() || text_[quote + 1] != ':') throw_unreadable();
  value_ = text_.substr(quote + 2, end_ - quote - 2);
}

/// Returns the position of the closing quote.
std::size_t AttributeCursor::read_escaped_name() {
  std::size_t quote = begin_ + 1;
  while (quote < end_ && text_[quote] != '"') quote += text_[quote] == '\\' ? 2 : 1;
  if (quote >= end_) throw_unreadable();
  ParserInUse in_use(base::per_thread<simdjson::dom::parser, struct NameParser>());
  simdjson::dom::element json;
  std::string_view unescaped;
  const bool read = in_use.parse(text_.substr(begin_, quote + 1 - begin_), json) == simdjson::SUCCESS &&
                    json.get(unescaped) == simdjson::SUCCESS;
  if (!read) throw_unreadable();
  unescaped_name_ = unescaped;
  name_ = unescaped_name_;
  return quote;
}

}  // namespace dinette::dynamodb::codec
