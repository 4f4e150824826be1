#pragma once

#include <string_view>

namespace dinette::dynamodb::expr {

/// Whether `word`, in any case, may not stand for itself in an expression
/// (api-specs/dynamodb/reserved-words.txt).
bool is_reserved_word(std::string_view word);

}  // namespace dinette::dynamodb::expr
