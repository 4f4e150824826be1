// Tools for the clock of a world.

#include "mcp/tool.h"

namespace dinette::mcp {
namespace {

constexpr const char* clock_path = "/_dinette/clock";

ToolResult show_clock(const ToolCall& call) {
  return administrate(call, "GET", in_world(call, clock_path));
}

ToolResult set_clock(const ToolCall& call) {
  return administrate(call, "PUT", clock_path, call.given());
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
