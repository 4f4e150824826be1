#pragma once

#include <string_view>

namespace dinette::dynamodb::expr {

/// Returns true if `word`, in any case, may not be a name by itself in an expression
/// (api-specs/dynamodb/reserved-words.txt).
bool is_reserved_word(std::string_view word);

}  // namespace dinette::dynamodb::expr
