#pragma once

#include <optional>
#include <string>

#include "mcp/json.h"

namespace dinette::mcp {

/// Returns a sentence about the first argument that does not fit the schema of a tool's input; nothing if all
/// do. Of JSON Schema it knows what the tools use: type, properties, required, additionalProperties false,
/// items, enum, minimum, maximum, maxLength. Null counts as absent.
std::optional<std::string> argument_problem(const Json& schema, const Json& arguments);

}  // namespace dinette::mcp
