#pragma once

#include "mcp/json.h"
#include "mcp/revision.h"
#include "mcp/tool.h"

namespace dinette::mcp {

/// Returns the JSON schema of a tool's arguments.
OrderedJson input_schema(const Tool& tool);

/// Returns what the answer to `tools/list` says of a tool.
OrderedJson listed(const Tool& tool, const Revision& revision, bool allow_writes);

}  // namespace dinette::mcp
