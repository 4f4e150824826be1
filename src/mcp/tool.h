#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

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

struct Tool {
  std::string_view name;
  std::string_view title;
  std::string_view description;
  Effect effect;
  std::string_view properties;  ///< JSON: its arguments by name, each with its schema
  std::string_view required;    ///< JSON: the names of those that must be there
  bool in_world;                ///< it has the argument "world", too
  ToolResult (*run)(const ToolCall& call);

  /// Returns true if it is of no use where writes are not allowed.
  bool only_writes() const { return effect == Effect::adds || effect == Effect::destroys; }
};

/// Returns all tools, in the order in which they are listed.
std::span<const Tool> all_tools();

// The tools by topic, one file each.
std::span<const Tool> table_tools();
std::span<const Tool> reading_tools();
std::span<const Tool> writing_tools();
std::span<const Tool> clock_tools();
std::span<const Tool> world_tools();

/// Calls an operation in the world that the arguments name. A refusal is a failure with the error's name and
/// message.
base::Result<Json, std::string> operate(const ToolCall& call, std::string_view operation,
                                        const Json& request);

/// Calls a route of the administration. A refusal is a failure with its message.
base::Result<Json, std::string> administrate(const ToolCall& call, std::string_view method,
                                             const std::string& target, const Json& body = nullptr);

}  // namespace dinette::mcp
