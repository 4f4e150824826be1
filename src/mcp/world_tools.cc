// Tools for worlds, which are copies of all tables made in no time, and for snapshots.

#include "mcp/result_page.h"
#include "mcp/tool.h"

namespace dinette::mcp {
namespace {

constexpr const char* worlds_path = "/_dinette/worlds";
constexpr const char* snapshots_path = "/_dinette/snapshots";

/// Returns a page of what GET of a path lists under `name`.
ToolResult list(const ToolCall& call, const char* path, const char* name) {
  DINETTE_TRY(const PageStart start, read_page_start(call.text("page")));
  DINETTE_TRY(Json reply, administrate(call, "GET", path));
  ResultPage page = cut_page(start, std::move(reply[name]), nullptr);
  Json result{{name, std::move(page.results)}};
  if (page.next) result["next_page"] = page.next->token();
  return result;
}

/// Returns the arguments without those that are null.
Json body_of(const ToolCall& call) {
  Json body = Json::object();
  for (const auto& [name, value] : call.arguments.items()) {
    if (!value.is_null()) body[name] = value;
  }
  return body;
}

ToolResult list_worlds(const ToolCall& call) {
  return list(call, worlds_path, "worlds");
}

ToolResult list_snapshots(const ToolCall& call) {
  return list(call, snapshots_path, "snapshots");
}

ToolResult fork_world(const ToolCall& call) {
  return administrate(call, "POST", worlds_path, body_of(call));
}

ToolResult drop_world(const ToolCall& call) {
  return administrate(call, "DELETE", std::string(worlds_path) + "/" + call.text("name"));
}

ToolResult reset_world(const ToolCall& call) {
  return administrate(call, "POST", "/_dinette/reset", body_of(call));
}

ToolResult take_snapshot(const ToolCall& call) {
  return administrate(call, "POST", snapshots_path, body_of(call));
}

ToolResult restore_snapshot(const ToolCall& call) {
  Json body = Json::object();
  if (const Json& world = call.any("world"); !world.is_null()) body["world"] = world;
  return administrate(call, "POST", std::string(snapshots_path) + "/" + call.text("id") + "/restore", body);
}

constexpr std::string_view paging =
    R"({"page": {"type": "string", "description": "next_page of the previous result."}})";

constexpr Tool world_list[] = {
    {.name = "list_worlds",
     .title = "List worlds",
     .description = "Lists the worlds. A world is a whole set of tables with a clock; 'default' is the one "
                    "that programs use "
                    "unless they choose another.",
     .effect = Effect::reads,
     .properties = paging,
     .required = "[]",
     .in_world = false,
     .run = list_worlds},
    {.name = "fork_world",
     .title = "Fork a world",
     .description = "Copies a world with all its tables, in constant time. Work on the copy by giving its "
                    "name as 'world' to the "
                    "other tools: the original does not change.",
     .effect = Effect::adds,
     .properties = R"({
       "name": {"type": "string", "description": "Name of the copy; absent: world-1, world-2 and so on."},
       "from": {"type": "string", "description": "Name of the world, or id of the snapshot, to copy; absent: default."},
       "ttl": {"type": "integer", "minimum": 1, "maximum": 31622400, "description": "The copy is dropped this many seconds after its last use; absent: it is kept."}})",
     .required = "[]",
     .in_world = false,
     .run = fork_world},
    {.name = "drop_world",
     .title = "Drop a world",
     .description = "Drops a fork with everything in it.",
     .effect = Effect::destroys,
     .properties = R"({"name": {"type": "string", "description": "Name of the fork."}})",
     .required = R"(["name"])",
     .in_world = false,
     .run = drop_world},
    {.name = "reset_world",
     .title = "Reset a world",
     .description = "Empties a world: all its tables are gone, and its clock follows real time.",
     .effect = Effect::destroys,
     .properties =
         R"({"world": {"type": "string", "description": "Name of the world; 'default' for the one that programs use unless they choose another."}})",
     .required = R"(["world"])",
     .in_world = false,
     .run = reset_world},
    {.name = "list_snapshots",
     .title = "List snapshots",
     .description = "Lists the snapshots of worlds.",
     .effect = Effect::reads,
     .properties = paging,
     .required = "[]",
     .in_world = false,
     .run = list_snapshots},
    {.name = "take_snapshot",
     .title = "Take a snapshot",
     .description = "Keeps the state of a world, with its clock, so that restore_snapshot can bring it back. "
                    "Take one before you "
                    "change data that you may need again.",
     .effect = Effect::adds,
     .properties = "{}",
     .required = "[]",
     .in_world = true,
     .run = take_snapshot},
    {.name = "restore_snapshot",
     .title = "Restore a snapshot",
     .description = "Replaces a world by a snapshot. Later writes are lost.",
     .effect = Effect::destroys,
     .properties = R"({
       "id": {"type": "string", "description": "Id of the snapshot."},
       "world": {"type": "string", "description": "World to replace; absent: the one that the snapshot was taken of."}})",
     .required = R"(["id"])",
     .in_world = false,
     .run = restore_snapshot},
};

}  // namespace

std::span<const Tool> world_tools() {
  return world_list;
}

}  // namespace dinette::mcp
