// Tools for worlds, which are copies of all tables made in no time, and for snapshots.

#include "mcp/result_page.h"
#include "mcp/tool.h"

namespace dinette::mcp {
namespace {

constexpr const char* worlds_path = "/_dinette/worlds";
constexpr const char* snapshots_path = "/_dinette/snapshots";

/// Returns a page of what GET of a path lists under `name`.
ToolResult list(const ToolCall& call, const char* path, const char* name) {
  DINETTE_TRY(Json reply, administrate(call, "GET", path));
  return list_page(call.text("page"), std::move(reply), name);
}

ToolResult list_worlds(const ToolCall& call) {
  return list(call, worlds_path, "worlds");
}

ToolResult list_snapshots(const ToolCall& call) {
  return list(call, snapshots_path, "snapshots");
}

ToolResult fork_world(const ToolCall& call) {
  return administrate(call, "POST", worlds_path, call.given());
}

ToolResult drop_world(const ToolCall& call) {
  return administrate(call, "DELETE", std::string(worlds_path) + "/" + call.text("name"));
}

ToolResult reset_world(const ToolCall& call) {
  return administrate(call, "POST", "/_dinette/reset", call.given());
}

ToolResult take_snapshot(const ToolCall& call) {
  return administrate(call, "POST", snapshots_path, call.given());
}

ToolResult restore_snapshot(const ToolCall& call) {
  Json body = Json::object();
  if (const Json& world = call.any("world"); !world.is_null()) body["world"] = world;
  return administrate(call, "POST", std::string(snapshots_path) + "/" + call.text("id") + "/restore", body);
}

}  // namespace

std::span<const ToolFunction> world_tools() {
  static constexpr ToolFunction functions[] = {
      {"list_worlds", list_worlds},
      {"fork_world", fork_world},
      {"drop_world", drop_world},
      {"reset_world", reset_world},
      {"list_snapshots", list_snapshots},
      {"take_snapshot", take_snapshot},
      {"restore_snapshot", restore_snapshot},
  };
  return functions;
}

}  // namespace dinette::mcp
