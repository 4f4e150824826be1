#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "dynamodb/expr/placeholders.h"

namespace dinette::dynamodb::expr {

enum class TokenKind : std::uint8_t {
  identifier,   // letters, digits, underscores, a letter first
  name,         // #placeholder
  value,        // :placeholder
  number,       // decimal digits
  keyword_and,  // keywords in any case
  keyword_or,
  keyword_not,
  keyword_in,
  keyword_between,
  keyword_set,
  keyword_remove,
  keyword_add,
  keyword_delete,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  plus,
  minus,
  dot,
  comma,
  open_paren,
  close_paren,
  open_bracket,
  close_bracket,
  stray,    // a `#` or `:` that begins no placeholder: a token that fits nowhere
  foreign,  // a character that begins no token
  end,
};

struct Token {
  TokenKind kind;
  std::string_view text;  // as written; lies in the source
};

/// The tokens of `text`, the last one being `end`. Only the keywords that `kind`'s grammar knows are
/// keywords; in the other grammars the same words are (reserved) names. Never fails: what is not a token is a
/// token of its own kind.
std::vector<Token> tokenize(Kind kind, std::string_view text);

/// The `Syntax error; token: "..", near: ".."` sentence about the token at `position`
/// (docs/service/expressions.md section 2, "Syntax error window").
std::string syntax_error(std::string_view text, const std::vector<Token>& tokens, std::size_t position);

}  // namespace dinette::dynamodb::expr
