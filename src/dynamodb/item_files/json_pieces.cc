#include "dynamodb/item_files/json_pieces.h"

#include <algorithm>
#include <utility>

#include "dynamodb/item_files/json_text.h"

namespace dinette::dynamodb::item_files {
namespace {

using base::Failure;

/// Windows programs write it at the beginning of UTF-8.
constexpr std::string_view json_byte_order_mark = "\xef\xbb\xbf";

bool is_json_white(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Follows the text of a value to its end.
class ValueEnd {
 public:
  enum class Step { goes_on, ends_after, ends_before };

  explicit ValueEnd(std::size_t depth) : depth_(depth) {}

  Step add(char c) {
    if (in_string_) return add_to_string(c);
    if (in_word_) return may_be_in_word(c) ? Step::goes_on : Step::ends_before;
    if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      return --depth_ == 0 ? Step::ends_after : Step::goes_on;
    } else if (depth_ == 0) {
      in_word_ = true;
    }
    return Step::goes_on;
  }

  bool in_string() const { return in_string_; }
  /// Returns true for a number, true, false or null, which end with the file.
  bool in_word() const { return in_word_; }

 private:
  static bool may_be_in_word(char c) {
    constexpr std::string_view ends = ",:{}[]\"";
    return !is_json_white(c) && ends.find(c) == std::string_view::npos;
  }

  Step add_to_string(char c) {
    const bool was_escaped = std::exchange(escaped_, !escaped_ && c == '\\');
    if (was_escaped || c != '"') return Step::goes_on;
    in_string_ = false;
    return depth_ == 0 ? Step::ends_after : Step::goes_on;
  }

  std::size_t depth_;
  bool in_string_ = false;
  bool escaped_ = false;
  bool in_word_ = false;
};

}  // namespace

JsonPieces::JsonPieces(objects::ObjectReader& file, Packing packing, std::stop_token stop)
    : bytes_(file, packing, std::move(stop)) {}

ReadResult<void> JsonPieces::skip_byte_order_mark() {
  begun_ = true;
  DINETTE_TRY(const std::string_view beginning, bytes_.rest(json_byte_order_mark.size()));
  if (beginning.starts_with(json_byte_order_mark)) bytes_.skip(json_byte_order_mark.size());
  return {};
}

ReadResult<char> JsonPieces::peek() {
  if (!begun_) DINETTE_CHECK(skip_byte_order_mark());
  for (;;) {
    DINETTE_TRY(const std::string_view rest, bytes_.rest());
    if (rest.empty()) return '\0';
    const auto end = std::ranges::find_if_not(rest, is_json_white);
    line_ += static_cast<std::uint64_t>(std::count(rest.begin(), end, '\n'));
    bytes_.skip(static_cast<std::size_t>(end - rest.begin()));
    if (end == rest.end()) continue;
    if (*end == '\0') return Failure{ReadError("has a zero byte, which JSON has not")};
    return *end;
  }
}

ReadResult<bool> JsonPieces::take(char c) {
  DINETTE_TRY(const char next, peek());
  if (next != c) return false;
  bytes_.skip(1);
  return true;
}

ReadResult<std::string> JsonPieces::name() {
  DINETTE_TRY(const char next, peek());
  if (next != '"') return Failure{ReadError("has no name of a member where one must be, such as \"Items\"")};
  std::string text;
  DINETTE_CHECK(value(text));
  simdjson::dom::parser parser;
  std::string_view name;
  if (parser.parse(text).get(name)) return Failure{ReadError("has the name of a member that is not JSON")};
  std::string found(name);
  DINETTE_TRY(const bool colon, take(':'));
  if (!colon) return Failure{ReadError("has no colon after the name '" + found + "'")};
  return found;
}

/// Checks that a value begins with the next byte.
ReadResult<void> JsonPieces::check_begin() {
  constexpr std::string_view begins = "{[\"-0123456789tfn";
  DINETTE_TRY(const char next, peek());
  if (next == '\0') return Failure{ReadError("ends where a value must follow")};
  if (begins.find(next) == std::string_view::npos)
    return Failure{ReadError(std::string("has '") + next + "' where a value must begin")};
  return {};
}

ReadResult<void> JsonPieces::take_value(std::string* out, std::size_t depth) {
  if (depth == 0) DINETTE_CHECK(check_begin());
  ValueEnd end(depth);
  for (;;) {
    DINETTE_TRY(const std::string_view rest, bytes_.rest());
    if (rest.empty() && end.in_word()) return {};
    if (rest.empty()) return Failure{ReadError("begins a value that the file does not end")};
    auto step = ValueEnd::Step::goes_on;
    std::size_t size = 0;
    while (size < rest.size() && step == ValueEnd::Step::goes_on) {
      if (rest[size] == '\n' && end.in_string())
        return Failure{ReadError("has a string that does not end on its line")};
      step = end.add(rest[size]);
      if (step == ValueEnd::Step::ends_before) break;
      if (rest[size] == '\n') ++line_;
      ++size;
    }
    if (out != nullptr) out->append(rest.substr(0, size));
    bytes_.skip(size);
    if (step != ValueEnd::Step::goes_on) return {};
    if (out != nullptr && out->size() > ItemSource::longest_object)
      return Failure{ReadError("has a value of more than 16 MB; is a brace missing?")};
  }
}

}  // namespace dinette::dynamodb::item_files
