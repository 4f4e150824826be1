#pragma once

#include <string>
#include <vector>

#include "mcp/tool.h"

namespace dinette::mcp {

/// Returns the table that a statement of PartiQL names first; empty if none is recognized.
std::string table_of_statement(std::string_view statement);

/// Returns a sentence that names the tables that there are in the world of a call, those first that the one
/// in `request` probably means: " Tables: Orders, Users." Empty if the table is one of them, or if they
/// cannot be listed.
std::string existing_tables(const ToolCall& call, const Json& request);

}  // namespace dinette::mcp
