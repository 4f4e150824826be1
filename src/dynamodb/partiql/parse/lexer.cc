#include "dynamodb/partiql/parse/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>

#include "dinette/base/ascii.h"

#include "dynamodb/partiql/parse/keywords.h"

namespace dinette::dynamodb::partiql {
namespace {

struct Sign {
  std::string_view text;
  TokenKind kind;
};
/// Longer ones first. `!=` is another spelling of `<>`.
constexpr std::array<Sign, 27> signs = {
    {{"<<", TokenKind::left_bag},     {">>", TokenKind::right_bag},  {"<=", TokenKind::operation},
     {">=", TokenKind::operation},    {"<>", TokenKind::operation},  {"!=", TokenKind::operation},
     {"||", TokenKind::operation},    {"<", TokenKind::operation},   {">", TokenKind::operation},
     {"=", TokenKind::operation},     {"+", TokenKind::operation},   {"-", TokenKind::operation},
     {"/", TokenKind::operation},     {"%", TokenKind::operation},   {"@", TokenKind::operation},
     {"*", TokenKind::star},          {".", TokenKind::dot},         {",", TokenKind::comma},
     {":", TokenKind::colon},         {";", TokenKind::semicolon},   {"?", TokenKind::parameter},
     {"(", TokenKind::left_paren},    {")", TokenKind::right_paren}, {"[", TokenKind::left_bracket},
     {"]", TokenKind::right_bracket}, {"{", TokenKind::left_curly},  {"}", TokenKind::right_curly}}};

struct Word {
  std::string_view text;
  TokenKind kind;
};
constexpr std::array<Word, 20> words = {{{"and", TokenKind::operation},
                                         {"or", TokenKind::operation},
                                         {"not", TokenKind::operation},
                                         {"is", TokenKind::operation},
                                         {"in", TokenKind::operation},
                                         {"like", TokenKind::operation},
                                         {"between", TokenKind::operation},
                                         {"union", TokenKind::operation},
                                         {"except", TokenKind::operation},
                                         {"intersect", TokenKind::operation},
                                         {"as", TokenKind::as},
                                         {"at", TokenKind::at},
                                         {"by", TokenKind::by},
                                         {"for", TokenKind::for_},
                                         {"asc", TokenKind::asc},
                                         {"desc", TokenKind::desc},
                                         {"null", TokenKind::null},
                                         {"missing", TokenKind::missing},
                                         {"true", TokenKind::boolean},
                                         {"false", TokenKind::boolean}}};

bool starts_name(char c) {
  return base::is_letter(c) || c == '_' || c == '$';
}

bool continues_name(char c) {
  return starts_name(c) || base::is_digit(c);
}

bool is_space(char c) {
  return std::string_view(" \t\v\f\r\n").find(c) != std::string_view::npos;
}

/// Returns true if the exponent of a number, and its scale, are 32-bit numbers: what other numbers there are
/// is left to their values' checks.
bool has_readable_exponent(std::string_view number) {
  const std::size_t e = number.find_first_of("eE");
  const std::size_t point = number.find('.');
  std::int64_t exponent = 0;
  if (e != std::string_view::npos) {
    std::string_view digits = number.substr(e + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    if (std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec != std::errc())
      return false;
  }
  const std::size_t end = std::min(e, number.size());
  const std::size_t fraction = point == std::string_view::npos ? 0 : end - point - 1;
  constexpr auto fits = [](std::int64_t value) {
    return value >= std::numeric_limits<std::int32_t>::min() &&
           value <= std::numeric_limits<std::int32_t>::max();
  };
  return fits(exponent) && fits(static_cast<std::int64_t>(fraction) - exponent);
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::optional<std::vector<Token>> tokenize() {
    while (at_ < text_.size()) {
      if (is_space(peek())) {
        advance(1);
      } else if (rest().starts_with("--")) {
        advance(std::min(rest().find_first_of("\r\n"), rest().size()));
      } else if (rest().starts_with("/*")) {
        const std::size_t end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) return std::nullopt;
        advance(end + 2 - at_);
      } else if (!take_token()) {
        return std::nullopt;
      }
    }
    tokens_.push_back({TokenKind::end, {}, {line_, column_, 0}});
    return std::move(tokens_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  /// Advances the position; a line ends with a line feed, a carriage return, or both.
  void advance(std::size_t bytes) {
    for (const std::size_t end = at_ + bytes; at_ < end; ++at_) {
      const char c = text_[at_];
      const bool ends_line = c == '\n' || (c == '\r' && peek(1) != '\n');
      const bool continues_character = (static_cast<unsigned char>(c) & 0xC0U) == 0x80;
      if (ends_line) {
        ++line_;
        column_ = 1;
      } else if (!continues_character && c != '\r') {
        ++column_;
      }
    }
  }

  bool take_token() {
    const char c = peek();
    if (starts_name(c)) return take_word();
    if (base::is_digit(c) || (c == '.' && base::is_digit(peek(1)))) return take_number();
    if (c == '\'' || c == '"') return take_quoted(c);
    for (const Sign& sign : signs) {
      if (c == '\0' || !rest().starts_with(sign.text)) continue;
      take(sign.text.size(), sign.kind, sign.text == "!=" ? "<>" : std::string(sign.text));
      return true;
    }
    return false;
  }

  void take(std::size_t bytes, TokenKind kind, std::string text) {
    Position position{line_, column_, 0};
    const std::string_view written = rest().substr(0, bytes);
    position.length = static_cast<std::uint32_t>(std::ranges::count_if(
        written, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
    advance(bytes);
    append_merged(tokens_, {kind, std::move(text), position});
  }

  bool take_word() {
    std::size_t length = 1;
    while (continues_name(peek(length))) ++length;
    const std::string_view written = rest().substr(0, length);
    const std::string lower = lowered(written);
    const auto* const special = std::ranges::find(words, lower, &Word::text);
    if (special != words.end()) {
      take(length, special->kind, lower);
    } else if (is_keyword(lower)) {
      take(length, TokenKind::keyword, std::string(type_name_of(lower)));
    } else {
      take(length, TokenKind::name, std::string(written));
    }
    return true;
  }

  /// Digits with a point, and an exponent, which must be whole.
  bool take_number() {
    std::size_t length = 0;
    const auto digits = [&] {
      while (base::is_digit(peek(length))) ++length;
    };
    digits();
    if (peek(length) == '.') {
      ++length;
      digits();
    }
    if (peek(length) == 'e' || peek(length) == 'E') {
      ++length;
      if (peek(length) == '+' || peek(length) == '-') ++length;
      if (!base::is_digit(peek(length))) return false;
      digits();
    }
    const std::string_view written = rest().substr(0, length);
    if (!has_readable_exponent(written)) return false;
    take(length, TokenKind::number, std::string(written));
    return true;
  }

  /// Takes quoted text, in which a doubled quote represents one.
  bool take_quoted(char quote) {
    std::string content;
    for (std::size_t end = 1; at_ + end < text_.size(); ++end) {
      if (peek(end) != quote) {
        content += peek(end);
      } else if (peek(end + 1) == quote) {
        content += quote;
        ++end;
      } else {
        take(end + 1, quote == '"' ? TokenKind::quoted_name : TokenKind::string, std::move(content));
        return true;
      }
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  std::vector<Token> tokens_;
};

}  // namespace

std::string Position::text() const {
  return std::to_string(line) + ':' + std::to_string(column) + ':' + std::to_string(length);
}

std::optional<std::vector<Token>> tokenize(std::string_view statement) {
  return Lexer(statement).tokenize();
}

}  // namespace dinette::dynamodb::partiql
