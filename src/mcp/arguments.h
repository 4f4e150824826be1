#pragma once

#include <optional>
#include <string>

#include "mcp/json.h"

namespace dinette::mcp {

/// Returns a sentence about the first argument that does not fit the schema of a tool's input, and about what
/// is expected; nothing if all fit. Of JSON Schema it knows what the tools use: type, properties, required,
/// additionalProperties false, items, maxItems, enum, minimum, maximum, maxLength. Null counts as absent.
std::optional<std::string> argument_problem(const Json& schema, const Json& arguments);

/// Returns a sentence about the first argument, of those that become part of a path or a header, that cannot;
/// nothing if all can. For arguments without an argument_problem.
std::optional<std::string> name_problem(const Json& arguments);

}  // namespace dinette::mcp
