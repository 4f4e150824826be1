#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/partiql/parse/lexer.h"

namespace dinette::dynamodb::partiql {

/// Returns `text` with its ASCII letters in lower case: keywords and names of functions are written in any.
std::string lowered(std::string_view text);

/// Returns true if the word, in lower case, cannot be a bare name.
bool is_keyword(std::string_view lower);

/// Returns the one name of a type that has several, else the word itself: `integer` for `int`.
std::string_view type_name_of(std::string_view lower);

/// Appends `token`; if it completes a phrase such as `insert into`, the phrase becomes one token, with the
/// position of its first word.
void append_merged(std::vector<Token>& tokens, Token token);

}  // namespace dinette::dynamodb::partiql
