#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/mcp/backend.h"

#include "mcp/json.h"

namespace dinette::mcp {

/// What a tool is given.
struct ToolCall {
  Backend& backend;
  bool allow_writes = false;
  const Json& arguments;  ///< as the tool's schema demands

  /// Returns the text of a string argument; empty if there is none.
  std::string text(const char* name) const;
  /// Returns an argument; null if there is none.
  const Json& any(const char* name) const;
};

/// The answer of a tool, as JSON, or a sentence about why there is none.
using ToolResult = base::Result<Json, std::string>;

/// What a tool does to data.
enum class Effect {
  reads,
  adds,           ///< loses nothing that was there
  destroys,       ///< replaces or deletes
  as_is_allowed,  ///< reads; destroys if writes are allowed
};

using RunTool = ToolResult (*)(const ToolCall& call);

/// A tool as api-specs/mcp/tools.json describes it.
struct Tool {
  std::string name;
  std::string title;
  std::string description;
  Effect effect;
  OrderedJson properties;  ///< its arguments by name, each with its schema
  OrderedJson required;    ///< the names of those that must be there
  RunTool run;

  /// Returns true if it is of no use where writes are not allowed.
  bool only_writes() const { return effect == Effect::adds || effect == Effect::destroys; }
};

/// Returns all tools, in the order in which they are listed.
const std::vector<Tool>& all_tools();

/// What the tool of that name runs.
struct ToolFunction {
  std::string_view name;
  RunTool run;
};

// By topic, one file each.
std::span<const ToolFunction> table_tools();
std::span<const ToolFunction> reading_tools();
std::span<const ToolFunction> writing_tools();
std::span<const ToolFunction> clock_tools();
std::span<const ToolFunction> world_tools();

/// Calls an operation in the world that the arguments name. A refusal is a failure with the error's name and
/// message.
base::Result<Json, std::string> operate(const ToolCall& call, std::string_view operation,
                                        const Json& request);

/// Calls a route of the administration. A refusal is a failure with its message.
base::Result<Json, std::string> administrate(const ToolCall& call, std::string_view method,
                                             const std::string& target, const Json& body = nullptr);

}  // namespace dinette::mcp
