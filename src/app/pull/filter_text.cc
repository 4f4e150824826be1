#include "app/pull/filter_text.h"

#include <algorithm>
#include <array>
#include <map>

#include "dinette/aws/json_writer.h"
#include "dinette/base/ascii.h"

namespace dinette::app {
namespace {

using base::Failure;
using Read = base::Result<void, std::string>;

constexpr std::array<std::string_view, 5> operators{"AND", "OR", "NOT", "BETWEEN", "IN"};
constexpr std::array<std::string_view, 6> functions{
    "attribute_exists", "attribute_not_exists", "attribute_type", "begins_with", "contains", "size"};
constexpr std::array<std::string_view, 5> comparisons{"<>", "<=", ">=", "==", "!="};

bool is_of_name(char c) {
  return base::is_word_character(c) || c == '-';
}

/// Walks a filter, and writes it with placeholders.
class FilterReader {
 public:
  explicit FilterReader(std::string_view text) : text_(text) {}

  base::Result<FilterText, std::string> read() {
    while (skip_white()) {
      DINETTE_CHECK(read_token());
    }
    if (out_.expression.empty()) return Failure{std::string("is empty")};
    if (!out_.names.empty()) out_.names = "{" + out_.names + "}";
    if (!out_.values.empty()) out_.values = "{" + out_.values + "}";
    return out_;
  }

 private:
  bool skip_white() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size();
  }

  std::string_view rest() const { return text_.substr(at_); }

  Failure<std::string> wrong(const std::string& what) const {
    return Failure{what + " at character " + std::to_string(at_ + 1)};
  }

  Read read_token() {
    const char c = text_[at_];
    if (c == '\'' || c == '"') return read_text(c);
    if (c == '`') return read_quoted_name();
    if (c == ':' || c == '#')
      return wrong(std::string("write values and names themselves, without '") + c + "',");
    if (base::is_digit(c) || c == '-') return read_number();
    if (base::is_letter(c) || c == '_') return read_word();
    if (c == '[') return read_index();
    return read_mark();
  }

  Read read_mark() {
    for (const std::string_view mark : comparisons) {
      if (!rest().starts_with(mark)) continue;
      at_ += mark.size();
      put(mark == "==" ? "=" : mark == "!=" ? "<>" : mark);
      return {};
    }
    if (std::string_view("()=<>,.").find(text_[at_]) == std::string_view::npos)
      return wrong("unexpected character");
    put(rest().substr(0, 1));
    ++at_;
    return {};
  }

  /// Writes a token, apart from the one before unless it continues a path.
  void put(std::string_view token) {
    std::string& out = out_.expression;
    const bool joined = out.empty() || token == "." || token == "(" || token == ")" || token == "," ||
                        token.starts_with('[') || out.ends_with('.') || out.ends_with('(');
    if (!joined) out += ' ';
    out += token;
  }

  Read read_text(char quote) {
    std::string value;
    for (std::size_t at = at_ + 1; at < text_.size(); ++at) {
      if (text_[at] == quote) {
        if (at + 1 == text_.size() || text_[at + 1] != quote) {
          at_ = at + 1;
          put_value("S", value);
          return {};
        }
        ++at;
      }
      value += text_[at];
    }
    return wrong("a text without its end");
  }

  Read read_quoted_name() {
    const std::size_t end = text_.find('`', at_ + 1);
    if (end == std::string_view::npos || end == at_ + 1) return wrong("a name without its end");
    put_name(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return {};
  }

  Read read_number() {
    std::size_t end = at_ + 1;
    while (end < text_.size() &&
           (base::is_word_character(text_[end]) || text_[end] == '.' ||
            ((text_[end] == '-' || text_[end] == '+') && base::to_upper(text_[end - 1]) == 'E')))
      ++end;
    const std::string_view number = text_.substr(at_, end - at_);
    const auto is_part = [](char c) {
      return base::is_digit(c) || std::string_view("+-.eE").find(c) != std::string_view::npos;
    };
    if (!std::ranges::all_of(number, is_part) || !std::ranges::any_of(number, base::is_digit))
      return wrong("'" + std::string(number) + "' is no number (texts need quotes)");
    at_ = end;
    put_value("N", number);
    return {};
  }

  Read read_index() {
    const std::size_t end = text_.find(']', at_);
    const std::string_view index = text_.substr(at_ + 1, end - at_ - 1);
    if (end == std::string_view::npos || index.empty() || !std::ranges::all_of(index, base::is_digit))
      return wrong("an index such as [0] is expected");
    put(text_.substr(at_, end + 1 - at_));
    at_ = end + 1;
    return {};
  }

  Read read_word() {
    const auto end = std::ranges::find_if_not(rest(), is_of_name);
    const std::string_view word = rest().substr(0, static_cast<std::size_t>(end - rest().begin()));
    at_ += word.size();
    const auto is_it = [&](std::string_view other) { return base::equal_ignoring_case(word, other); };
    if (const auto* const found = std::ranges::find_if(operators, is_it); found != operators.end()) {
      put(*found);
    } else if (is_it("true") || is_it("false")) {
      put_placeholder(R"({"BOOL":)" + std::string(is_it("true") ? "true" : "false") + "}");
    } else if (is_it("null")) {
      put_placeholder(R"({"NULL":true})");
    } else if (skip_white() && text_[at_] == '(') {
      if (std::ranges::find(functions, word) == functions.end())
        return wrong("there is no function '" + std::string(word) + "'");
      put(word);
    } else {
      put_name(word);
    }
    return {};
  }

  void put_name(std::string_view name) {
    const auto [known, fresh] = known_.try_emplace(std::string(name), "#n" + std::to_string(known_.size()));
    if (fresh) {
      if (!out_.names.empty()) out_.names += ',';
      aws::append_json_string(out_.names, known->second);
      aws::append_json_string(out_.names += ':', name);
    }
    put(known->second);
  }

  void put_value(std::string_view type, std::string_view value) {
    std::string json = "{";
    aws::append_json_string(json, type);
    aws::append_json_string(json += ':', value);
    put_placeholder(json + "}");
  }

  void put_placeholder(const std::string& value) {
    const std::string name = ":v" + std::to_string(values_++);
    if (!out_.values.empty()) out_.values += ',';
    aws::append_json_string(out_.values, name);
    out_.values += ":" + value;
    put(name);
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  FilterText out_;
  std::map<std::string, std::string> known_;
  unsigned values_ = 0;
};

}  // namespace

base::Result<FilterText, std::string> read_filter(std::string_view text) {
  if (!aws::is_utf8(text)) return Failure{std::string("is not UTF-8")};
  return FilterReader(text).read();
}

}  // namespace dinette::app
