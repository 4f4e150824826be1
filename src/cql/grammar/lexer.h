#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/cql/prompt.h"

#include "cql/error.h"

namespace dinette::cql::grammar {

enum class TokenKind : std::uint8_t {
  name,         ///< also keywords
  quoted_name,  ///< "..."
  string,
  integer,
  floating,
  boolean,
  uuid,
  hex,
  duration,  ///< of numbers and units, or with a date; another one that begins with P is a name
  symbol,
  end,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view source{};  ///< as it is written, a view of the statement
  std::string text{};         ///< names in lower case, strings and quoted names without quotes, else empty
};

/// Bounds the memory that a statement takes while it is parsed.
inline constexpr std::size_t most_tokens = 1'000'000;

/// Returns the tokens of a statement, the last one being `end` (docs/service-keyspaces/grammar.md section 1).
Answer<std::vector<Token>> tokenize(std::string_view statement);

/// Returns "line 1:0 ", the place in a statement where a message applies: lines count from 1, columns from 0.
std::string at_line(std::string_view statement, std::size_t offset);
/// Returns the place with which a message begins; nothing if it begins with none within a statement.
std::optional<StatementPlace> place_of(std::string_view message);

}  // namespace dinette::cql::grammar
