// Tools for faults that a world injects into requests.

#include "mcp/result_page.h"
#include "mcp/tool.h"
#include "mcp/values.h"

namespace dinette::mcp {
namespace {

constexpr const char* faults_path = "/_dinette/faults";

ToolResult list_faults(const ToolCall& call) {
  DINETTE_TRY(Json reply, administrate(call, "GET", in_world(call, faults_path)));
  return list_page(call.text("page"), std::move(reply), "faults");
}

ToolResult inject_faults(const ToolCall& call) {
  Json rules = call.any("rules");
  for (Json& rule : rules) {
    // Keys of items are plain JSON everywhere in these tools.
    if (member_of(rule, "key").is_object()) rule["key"] = typed_members(rule["key"]);
  }
  DINETTE_TRY(Json reply,
              administrate(call, "PUT", in_world(call, faults_path), {{"rules", std::move(rules)}}));
  return list_page("", std::move(reply), "faults");
}

ToolResult clear_faults(const ToolCall& call) {
  return administrate(call, "DELETE", in_world(call, faults_path));
}

}  // namespace

std::span<const ToolFunction> fault_tools() {
  static constexpr ToolFunction functions[] = {
      {"list_faults", list_faults},
      {"inject_faults", inject_faults},
      {"clear_faults", clear_faults},
  };
  return functions;
}

}  // namespace dinette::mcp
