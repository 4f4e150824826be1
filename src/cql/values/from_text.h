#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cql/error.h"
#include "cql/types/type.h"

namespace dinette::cql {

/// Returns the bytes of a value of a type without parts from the text of a constant, strings without quotes
/// (docs/service-keyspaces/types.md section 3). Fails with Invalid if it is none of the type.
Answer<std::string> value_from_text(const Type& type, std::string_view text);

/// Reads pairs of hexadecimal digits.
std::optional<std::string> bytes_of_hex(std::string_view digits);

}  // namespace dinette::cql
