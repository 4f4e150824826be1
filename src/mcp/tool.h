#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
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
  const Json& arguments;                     ///< as the tool's schema demands
  std::filesystem::path import_folder = {};  ///< whose files may be read; empty: none

  /// Returns the text of a string argument; empty if there is none.
  std::string text(const char* name) const;
  /// Returns an argument; null if there is none.
  const Json& any(const char* name) const;
  /// Returns true if an argument is true.
  bool flag(const char* name) const;
  /// Returns an argument that is a whole number above 0.
  std::size_t number(const char* name, std::size_t otherwise) const;
  /// Returns the arguments that are not null.
  Json given() const;
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
  bool idempotent;         ///< of tools that write: a repeated call changes nothing more
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
std::span<const ToolFunction> import_tools();
std::span<const ToolFunction> request_tools();
std::span<const ToolFunction> report_tools();
std::span<const ToolFunction> metrics_tools();
std::span<const ToolFunction> fault_tools();

/// Returns all of these lists.
std::vector<std::span<const ToolFunction>> all_functions();

/// Calls an operation in the world that the arguments name. A refusal is a failure with the error's name and
/// message, and with the tables that exist if there is none of the name in the request.
base::Result<Json, std::string> operate(const ToolCall& call, std::string_view operation,
                                        const Json& request);

struct ExplainedReply {
  Json body;
  Json explanation;  ///< how the operation was executed (docs/explain.md); null: the server does not say
};

/// The same, and asks how it was executed.
base::Result<ExplainedReply, std::string> operate_explained(const ToolCall& call, std::string_view operation,
                                                            const Json& request);

/// Calls a route of the administration. A refusal is a failure with its message.
base::Result<Json, std::string> administrate(const ToolCall& call, std::string_view method,
                                             const std::string& target, const Json& body = nullptr);

/// The same for a route that answers with text.
base::Result<std::string, std::string> read_administration(const ToolCall& call, const std::string& target);

/// Returns a path of the administration with the world that the arguments name, if they name one.
std::string in_world(const ToolCall& call, const std::string& path);

/// Returns the message in the body of an error; empty if there is none.
std::string message_of(const Json& error);

// Members of foreign JSON, which may be anything: nothing, or null, if the value is not an object or has no
// such member.
const Json& member_of(const Json& object, const char* name);
std::optional<double> number_of(const Json& object, const char* name);
std::optional<std::uint64_t> count_of(const Json& object, const char* name);

}  // namespace dinette::mcp
