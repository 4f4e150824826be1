// Tools for the clock of a world.

#include "mcp/tool.h"

namespace dinette::mcp {
namespace {

constexpr const char* clock_path = "/_dinette/clock";

ToolResult show_clock(const ToolCall& call) {
  const std::string world = call.text("world");
  return administrate(call, "GET", world.empty() ? clock_path : clock_path + ("?world=" + world));
}

ToolResult set_clock(const ToolCall& call) {
  Json body = Json::object();
  for (const auto& [name, value] : call.arguments.items()) {
    if (!value.is_null()) body[name] = value;
  }
  return administrate(call, "PUT", clock_path, body);
}

constexpr Tool clock_list[] = {
    {.name = "show_clock",
     .title = "Show the clock",
     .description =
         "Shows the time of a world. Time to live, creation times and idempotency tokens go by it.",
     .effect = Effect::reads,
     .properties = "{}",
     .required = "[]",
     .in_world = true,
     .run = show_clock},
    {.name = "set_clock",
     .title = "Set the clock",
     .description = "Sets, moves, stops or starts the clock of a world. What falls due on the way, such as "
                    "the deletion of "
                    "expired items, has happened when the answer comes.",
     .effect = Effect::destroys,
     .properties = R"({
       "now": {"type": ["string", "number"], "description": "The new time: ISO 8601 with a zone, \"2030-01-01T00:00:00Z\", or seconds since 1970."},
       "advance": {"type": ["string", "number"], "description": "Instead of now, how far to move: seconds, or a duration such as \"PT25H\" or \"P3D\"; negative sets back."},
       "frozen": {"type": "boolean", "description": "true stops the clock, false lets it go on."},
       "rate": {"type": "number", "description": "How many times as fast as real time it runs."}})",
     .required = "[]",
     .in_world = true,
     .run = set_clock},
};

}  // namespace

std::span<const Tool> clock_tools() {
  return clock_list;
}

}  // namespace dinette::mcp
