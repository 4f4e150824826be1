#include "dynamodb/codec/attribute_cursor.h"

#include "dinette/aws/json.h"
#include "dinette/base/per_thread.h"

#include "dynamodb/codec/record_layout.h"

namespace dinette::dynamodb::codec {

AttributeCursor::AttributeCursor(std::string_view record)
    : ends_(record_ends(record)), text_(record_text(record)), corrupt_(!is_record(record)) {}

bool AttributeCursor::next() {
  if (ends_.empty()) return false;
  if (read()) return true;
  corrupt_ = true;
  ends_ = {};
  return false;
}

/// Reads the next attribute; returns false if there is none where one should be.
bool AttributeCursor::read() {
  begin_ = end_ + 1;  // the item's brace, or a comma, precedes it
  end_ = take_end(ends_);
  if (end_ <= begin_ || end_ >= text_.size() || text_[begin_] != '"') return false;
  std::size_t quote = begin_ + 1;
  while (quote < end_ && text_[quote] != '"' && text_[quote] != '\\') ++quote;  // most names are short
  if (quote == end_) return false;
  name_ = text_.substr(begin_ + 1, quote - begin_ - 1);
  if (text_[quote] == '\\') quote = end_of_escaped_name();
  if (end_ - quote < std::string_view(R"(":{"S":)").size() || text_[quote + 1] != ':') return false;
  value_ = text_.substr(quote + 2, end_ - quote - 2);
  return true;
}

/// Reads a name with escapes; returns the position of the closing quote, or the attribute's end if it is no
/// JSON string.
std::size_t AttributeCursor::end_of_escaped_name() {
  std::size_t quote = begin_ + 1;
  while (quote < end_ && text_[quote] != '"') quote += text_[quote] == '\\' ? 2 : 1;
  if (quote >= end_) return end_;
  aws::ParserInUse in_use(base::per_thread<simdjson::dom::parser, struct NameParser>());
  simdjson::dom::element json;
  std::string_view unescaped;
  const bool read = in_use.parse(text_.substr(begin_, quote + 1 - begin_), json) == simdjson::SUCCESS &&
                    json.get(unescaped) == simdjson::SUCCESS;
  if (!read) return end_;
  unescaped_name_ = unescaped;
  name_ = unescaped_name_;
  return quote;
}

}  // namespace dinette::dynamodb::codec
