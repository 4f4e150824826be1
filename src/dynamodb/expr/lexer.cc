#include "dynamodb/expr/lexer.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "dinette/base/ascii.h"

namespace dinette::dynamodb::expr {
namespace {

struct Keyword {
  std::string_view word;  // upper case
  TokenKind kind;
};
constexpr std::array<Keyword, 5> condition_keywords = {{{"AND", TokenKind::keyword_and},
                                                        {"OR", TokenKind::keyword_or},
                                                        {"NOT", TokenKind::keyword_not},
                                                        {"IN", TokenKind::keyword_in},
                                                        {"BETWEEN", TokenKind::keyword_between}}};
constexpr std::array<Keyword, 4> update_keywords = {{{"SET", TokenKind::keyword_set},
                                                     {"REMOVE", TokenKind::keyword_remove},
                                                     {"ADD", TokenKind::keyword_add},
                                                     {"DELETE", TokenKind::keyword_delete}}};

std::span<const Keyword> keywords_of(Kind kind) {
  switch (kind) {
    case Kind::condition:
    case Kind::filter:
    case Kind::key_condition:
    case Kind::search_condition:
      return condition_keywords;
    case Kind::update:
      return update_keywords;
    case Kind::projection:
      return {};
  }
  return {};
}

/// Bytes of the UTF-8 character that starts at `position`, cut at the end of the text.
std::size_t character_length(std::string_view text, std::size_t position) {
  std::size_t end = position + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return end - position;
}

class Lexer {
 public:
  Lexer(Kind kind, std::string_view text) : keywords_(keywords_of(kind)), text_(text) {}

  Token next() {
    position_ = std::min(text_.find_first_not_of(" \t\n\r", position_), text_.size());
    if (position_ == text_.size()) return {TokenKind::end, text_.substr(position_)};
    const char first = text_[position_];
    if (base::is_letter(first)) return word();
    if (base::is_digit(first)) return take(TokenKind::number, length_of(base::is_digit, 0));
    if (first == '#') return placeholder(TokenKind::name);
    if (first == ':') return placeholder(TokenKind::value);
    return symbol(first);
  }

 private:
  Token take(TokenKind kind, std::size_t length) {
    const std::string_view text = text_.substr(position_, length);
    position_ += text.size();
    return {kind, text};
  }

  // How many characters from `from` on satisfy `predicate`, counted with those before.
  std::size_t length_of(bool (*predicate)(char), std::size_t from) const {
    std::size_t length = from;
    while (position_ + length < text_.size() && predicate(text_[position_ + length])) ++length;
    return length;
  }

  Token word() {
    const std::string_view text = text_.substr(position_, length_of(base::is_word_character, 0));
    for (const Keyword& keyword : keywords_) {
      if (base::equal_ignoring_case(text, keyword.word)) return take(keyword.kind, text.size());
    }
    return take(TokenKind::identifier, text.size());
  }

  Token placeholder(TokenKind kind) {
    const std::size_t length = length_of(base::is_word_character, 1);
    return length == 1 ? take(TokenKind::stray, 1) : take(kind, length);
  }

  Token symbol(char first) {
    const char second = position_ + 1 < text_.size() ? text_[position_ + 1] : '\0';
    switch (first) {
      case '=':
        return take(TokenKind::equal, 1);
      case '<':
        if (second == '>') return take(TokenKind::not_equal, 2);
        return second == '=' ? take(TokenKind::less_equal, 2) : take(TokenKind::less, 1);
      case '>':
        return second == '=' ? take(TokenKind::greater_equal, 2) : take(TokenKind::greater, 1);
      case '+':
        return take(TokenKind::plus, 1);
      case '-':
        return take(TokenKind::minus, 1);
      case '.':
        return take(TokenKind::dot, 1);
      case ',':
        return take(TokenKind::comma, 1);
      case '(':
        return take(TokenKind::open_paren, 1);
      case ')':
        return take(TokenKind::close_paren, 1);
      case '[':
        return take(TokenKind::open_bracket, 1);
      case ']':
        return take(TokenKind::close_bracket, 1);
      default:
        return take(TokenKind::foreign, character_length(text_, position_));
    }
  }

  std::span<const Keyword> keywords_;
  std::string_view text_;
  std::size_t position_ = 0;
};

std::size_t begin_of(std::string_view source, const Token& token) {
  return static_cast<std::size_t>(token.text.data() - source.data());
}

}  // namespace

std::vector<Token> tokenize(Kind kind, std::string_view text) {
  std::vector<Token> tokens;
  Lexer lexer(kind, text);
  do {
    tokens.push_back(lexer.next());
  } while (tokens.back().kind != TokenKind::end);
  return tokens;
}

std::string syntax_error(std::string_view text, const std::vector<Token>& tokens, std::size_t position) {
  const Token& token = tokens[position];
  std::size_t from = begin_of(text, token);
  std::size_t to = from + token.text.size();
  if (position > 0) from = begin_of(text, tokens[position - 1]);
  if (token.kind == TokenKind::end) {
    to = position > 0 ? from + tokens[position - 1].text.size() : from;
  } else if (tokens[position + 1].kind != TokenKind::end) {
    to = begin_of(text, tokens[position + 1]) + tokens[position + 1].text.size();
  }
  std::string message = "Syntax error; token: \"";
  message += token.kind == TokenKind::end ? std::string_view("<EOF>") : token.text;
  message += "\", near: \"";
  message += text.substr(from, to - from);
  message += '"';
  return message;
}

}  // namespace dinette::dynamodb::expr
