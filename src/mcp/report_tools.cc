// Tools for the report of what the requests to a world consumed and cost.

#include "mcp/result_page.h"
#include "mcp/tool.h"

namespace dinette::mcp {
namespace {

constexpr const char* report_path = "/_dinette/report";

ToolResult report(const ToolCall& call) {
  DINETTE_TRY(Json reply, administrate(call, "GET", in_world(call, report_path)));
  if (member_of(reply, "recording") == false)
    reply["note"] = "nothing is being recorded; record_report, or dinette --report, begins";
  return list_page(call.text("page"), std::move(reply), "operations");
}

ToolResult record_report(const ToolCall& call) {
  const std::string path = in_world(call, report_path);
  if (call.flag("clear")) DINETTE_CHECK(administrate(call, "DELETE", path));
  DINETTE_TRY(const Json reply, administrate(call, "PUT", path, {{"recording", call.any("recording")}}));
  return Json{{"recording", member_of(reply, "recording")}};
}

}  // namespace

std::span<const ToolFunction> report_tools() {
  static constexpr ToolFunction functions[] = {
      {"report", report},
      {"record_report", record_report},
  };
  return functions;
}

}  // namespace dinette::mcp
