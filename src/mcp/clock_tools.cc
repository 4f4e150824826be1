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

}  // namespace

std::span<const ToolFunction> clock_tools() {
  static constexpr ToolFunction functions[] = {
      {"show_clock", show_clock},
      {"set_clock", set_clock},
  };
  return functions;
}

}  // namespace dinette::mcp
