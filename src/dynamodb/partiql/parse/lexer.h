#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::dynamodb::partiql {

/// Where a token is written, in characters; lines and columns count from 1.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  std::uint32_t length = 0;

  /// Returns `<line>:<column>:<length>`.
  std::string text() const;
};

enum class TokenKind : std::uint8_t {
  name,
  quoted_name,
  string,
  number,
  parameter,  // ?
  keyword,
  operation,  // also the words that are operators
  null,
  missing,
  boolean,
  as,
  at,
  by,
  for_,
  asc,
  desc,
  star,
  dot,
  comma,
  colon,
  semicolon,
  left_paren,
  right_paren,
  left_bracket,
  right_bracket,
  left_curly,
  right_curly,
  left_bag,   // <<
  right_bag,  // >>
  end,
};

/// Names and numbers have their text as written, strings and quoted names without quotes, keywords and
/// operators in lower case and by one name where they have several.
struct Token {
  TokenKind kind = TokenKind::end;
  std::string text;
  Position position;
};

/// Returns the tokens of `statement`, the last one being `end`; none if something in it is not a token
/// (docs/service/partiql.md section 1, "Lexical rules").
std::optional<std::vector<Token>> tokenize(std::string_view statement);

}  // namespace dinette::dynamodb::partiql
