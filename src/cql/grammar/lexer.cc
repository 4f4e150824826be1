#include "cql/grammar/lexer.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include "dinette/base/ascii.h"

namespace dinette::cql::grammar {
namespace {

bool is_hex_digit(char c) {
  return base::is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

std::size_t count_while(std::string_view text, bool (*wanted)(char)) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, wanted) - text.begin());
}

/// The length of a uuid at the beginning of `text`, or 0.
std::size_t uuid_length(std::string_view text) {
  std::size_t at = 0;
  for (const std::size_t digits : {8U, 4U, 4U, 4U, 12U}) {
    if (at > 0 && (at >= text.size() || text[at++] != '-')) return 0;
    if (count_while(text.substr(at, digits), is_hex_digit) != digits) return 0;
    at += digits;
  }
  return at;
}

std::size_t unit_length(std::string_view text) {
  // Longer units first.
  for (const std::string_view unit : {"mo", "ms", "us", "\xC2\xB5s", "ns", "y", "w", "d", "h", "m", "s"}) {
    if (base::equal_ignoring_case(text.substr(0, unit.size()), unit)) return unit.size();
  }
  return 0;
}

/// The length of pairs of numbers and units at the beginning of `text`, or 0.
std::size_t duration_length(std::string_view text) {
  std::size_t at = 0;
  for (;;) {
    const std::size_t digits = count_while(text.substr(at), base::is_digit);
    const std::size_t unit = digits == 0 ? 0 : unit_length(text.substr(at + digits));
    if (unit == 0) break;
    at += digits + unit;
  }
  return at < text.size() && base::is_word_character(text[at]) ? 0 : at;
}

/// The length of "P0001-02-03T04:05:06" at the beginning of `text`, or 0.
std::size_t iso_date_length(std::string_view text) {
  constexpr std::string_view form = "P0000-00-00T00:00:00";
  if (text.size() < form.size()) return 0;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool fits = form[i] == '0' ? base::is_digit(text[i]) : base::to_upper(text[i]) == form[i];
    if (!fits) return 0;
  }
  return form.size();
}

/// The length of an exponent at the beginning of `text`, or 0.
std::size_t exponent_length(std::string_view text) {
  if (text.empty() || base::to_lower(text.front()) != 'e') return 0;
  const std::size_t sign = text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 1 : 0;
  const std::size_t digits = count_while(text.substr(1 + sign), base::is_digit);
  return digits == 0 ? 0 : 1 + sign + digits;
}

std::size_t symbol_length(std::string_view text) {
  for (const std::string_view two : {"<=", ">=", "!=", "+=", "-="}) {
    if (text.starts_with(two)) return 2;
  }
  return std::string_view("=<>+-*/%()[]{},;.:?").find(text.front()) == std::string_view::npos ? 0 : 1;
}

class Lexer {
 public:
  explicit Lexer(std::string_view statement) : statement_(statement) {}

  Answer<std::vector<Token>> run() {
    for (;;) {
      DINETTE_CHECK(skip_space());
      if (rest().empty()) break;
      if (tokens_.size() == most_tokens) {
        return syntax_error(at_line(statement_, at_) + "a statement has at most " +
                            std::to_string(most_tokens) + " tokens");
      }
      DINETTE_CHECK(read_token());
    }
    tokens_.push_back({.kind = TokenKind::end, .source = rest()});
    return std::move(tokens_);
  }

 private:
  std::string_view rest() const { return statement_.substr(at_); }

  base::Failure<Error> no_token(std::size_t offset) const {
    std::size_t length = 1;
    while (offset + length < statement_.size() && (statement_[offset + length] & '\xC0') == '\x80') ++length;
    const std::string shown =
        offset < statement_.size() ? std::string(statement_.substr(offset, length)) : "<EOF>";
    return syntax_error(at_line(statement_, offset) + "no viable alternative at character '" + shown + "'");
  }

  /// Skips blanks and comments.
  Answer<void> skip_space() {
    for (;;) {
      at_ += count_while(rest(), is_blank);
      std::size_t end = at_;
      if (rest().starts_with("--") || rest().starts_with("//")) {
        end = statement_.find_first_of("\r\n", at_);
      } else if (rest().starts_with("/*")) {
        end = statement_.find("*/", at_ + 2);
        if (end != std::string_view::npos) end += 2;
      }
      if (end == at_) return {};
      if (end == std::string_view::npos) return no_token(statement_.size());
      at_ = end;
    }
  }

  void add(TokenKind kind, std::size_t length, std::string text = {}) {
    tokens_.push_back({kind, statement_.substr(at_, length), std::move(text)});
    at_ += length;
  }

  Answer<void> read_token() {
    const char c = rest().front();
    if (c == '\'' || c == '"') return read_quoted(c);
    if (rest().starts_with("$$")) return read_dollar_string();
    if (const std::size_t uuid = uuid_length(rest()); uuid != 0) {
      add(TokenKind::uuid, uuid);
      return {};
    }
    const std::size_t sign = c == '-' ? 1 : 0;
    if (const std::size_t duration = iso_date_length(rest().substr(sign)); duration != 0) {
      add(TokenKind::duration, sign + duration);
      return {};
    }
    const bool negative = c == '-' && rest().size() > 1 && base::is_digit(rest()[1]);
    if (negative || base::is_digit(c)) {
      read_number(negative);
      return {};
    }
    if (base::is_letter(c)) {
      read_name();
      return {};
    }
    const std::size_t symbol = symbol_length(rest());
    if (symbol == 0) return no_token(at_);
    add(TokenKind::symbol, symbol);
    return {};
  }

  /// A string or a name in quotes, which are doubled within.
  Answer<void> read_quoted(char quote) {
    std::string text;
    for (std::size_t at = at_ + 1; at < statement_.size(); ++at) {
      if (statement_[at] != quote) {
        text.push_back(statement_[at]);
      } else if (at + 1 < statement_.size() && statement_[at + 1] == quote) {
        text.push_back(statement_[at++]);
      } else {
        if (quote == '"' && text.empty()) return no_token(at_);
        add(quote == '"' ? TokenKind::quoted_name : TokenKind::string, at + 1 - at_, std::move(text));
        return {};
      }
    }
    return no_token(statement_.size());
  }

  Answer<void> read_dollar_string() {
    const std::size_t end = statement_.find("$$", at_ + 2);
    if (end == std::string_view::npos) return no_token(statement_.size());
    add(TokenKind::string, end + 2 - at_, std::string(statement_.substr(at_ + 2, end - at_ - 2)));
    return {};
  }

  void read_number(bool negative) {
    const std::size_t sign = negative ? 1 : 0;
    const std::string_view number = rest().substr(sign);
    if (!negative && number.size() > 1 && number[0] == '0' && base::to_lower(number[1]) == 'x') {
      return add(TokenKind::hex, 2 + count_while(number.substr(2), is_hex_digit));
    }
    if (const std::size_t duration = duration_length(number); duration != 0) {
      return add(TokenKind::duration, sign + duration);
    }
    std::size_t length = count_while(number, base::is_digit);
    bool floating = false;
    if (length < number.size() && number[length] == '.') {
      floating = true;
      length += 1 + count_while(number.substr(length + 1), base::is_digit);
    }
    if (const std::size_t exponent = exponent_length(number.substr(length)); exponent != 0) {
      floating = true;
      length += exponent;
    }
    add(floating ? TokenKind::floating : TokenKind::integer, sign + length);
  }

  void read_name() {
    const std::size_t length = count_while(rest(), base::is_word_character);
    std::string text(rest().substr(0, length));
    std::ranges::transform(text, text.begin(), base::to_lower);
    const bool boolean = text == "true" || text == "false";
    add(boolean ? TokenKind::boolean : TokenKind::name, length, std::move(text));
  }

  std::string_view statement_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

Answer<std::vector<Token>> tokenize(std::string_view statement) {
  return Lexer(statement).run();
}

std::string at_line(std::string_view statement, std::size_t offset) {
  const std::string_view before = statement.substr(0, offset);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t last_end = before.rfind('\n');
  const std::string_view in_line = last_end == std::string_view::npos ? before : before.substr(last_end + 1);
  const auto column = std::ranges::count_if(in_line, [](char c) { return (c & '\xC0') != '\x80'; });
  return "line " + std::to_string(line) + ":" + std::to_string(column) + " ";
}

std::optional<StatementPlace> place_of(std::string_view message) {
  constexpr std::string_view start = "line ";
  if (!message.starts_with(start)) return std::nullopt;
  const char* const end = message.data() + message.size();
  StatementPlace place;
  const auto line = std::from_chars(message.data() + start.size(), end, place.line);
  if (line.ec != std::errc() || line.ptr == end || *line.ptr != ':') return std::nullopt;
  const auto column = std::from_chars(line.ptr + 1, end, place.column);
  if (column.ec != std::errc()) return std::nullopt;
  return place;
}

}  // namespace dinette::cql::grammar
