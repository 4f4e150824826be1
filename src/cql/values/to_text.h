#pragma once

#include <string>
#include <string_view>

#include "cql/types/type.h"

namespace dinette::cql {

/// Returns the text of a value without parts, as JSON has it; strings as they are
/// (docs/service-keyspaces/types.md section 8).
std::string value_text(const Type& type, std::string_view value);

/// Returns a value as JSON (docs/service-keyspaces/types.md section 8).
std::string json_text(const Type& type, std::string_view value);

/// Appends a string in quotes, with what JSON escapes.
void append_json_string(std::string& out, std::string_view text);

}  // namespace dinette::cql
