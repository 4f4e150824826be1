#include "dynamodb/codec/attribute_cursor.h"

#include "dinette/aws/json.h"
#include "dinette/base/per_thread.h"

#include "dynamodb/codec/record_layout.h"

namespace dinette::dynamodb::codec {
namespace {

/// Compares in the order of names: by unsigned bytes.
bool is_less(char a, char b) {
  return static_cast<unsigned char>(a) < static_cast<unsigned char>(b);
}

}  // namespace

AttributeCursor::AttributeCursor(std::string_view record) : AttributeCursor(parts_of(record)) {}

AttributeCursor::AttributeCursor(const RecordParts& record)
    : ends_(record.ends), text_(record.text), corrupt_(!record.is_record) {}

bool AttributeCursor::next() {
  if (ends_.empty()) return false;
  advance();
  return read() || fail();
}

bool AttributeCursor::next_from(std::string_view name) {
  const char first = name.empty() ? '\0' : name.front();
  while (!ends_.empty()) {
    advance();
    // The first character of its name rules most attributes out. A backslash says that it is written
    // otherwise.
    const char its_first = begin_ + 1 < text_.size() ? text_[begin_ + 1] : '\\';
    if (is_less(its_first, first) && its_first != '\\') continue;
    if (!read()) return fail();
    if (name_ >= name) return true;
  }
  return false;
}

void AttributeCursor::advance() {
  begin_ = end_ + 1;  // the item's brace, or a comma, precedes it
  end_ = take_end(ends_);
  ++passed_;
}

bool AttributeCursor::fail() {
  corrupt_ = true;
  ends_ = {};
  return false;
}

/// Reads the attribute between begin_ and end_; returns false if there is none.
bool AttributeCursor::read() {
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
