// The tool that shows the metrics of a server.

#include <algorithm>
#include <string_view>

#include "mcp/metrics_summary.h"
#include "mcp/result_page.h"
#include "mcp/tool.h"

namespace dinette::mcp {
namespace {

constexpr const char* metrics_path = "/_dinette/metrics";

/// Returns the samples, with names and labels, whose line has a text in it.
Json lines_with(std::string_view metrics, std::string_view wanted) {
  Json lines = Json::array();
  while (!metrics.empty()) {
    const std::string_view line = metrics.substr(0, metrics.find('\n'));
    metrics.remove_prefix(std::min(line.size() + 1, metrics.size()));
    if (!line.starts_with('#') && line.find(wanted) != std::string_view::npos) lines.push_back(line);
  }
  return lines;
}

ToolResult metrics(const ToolCall& call) {
  DINETTE_TRY(const std::string text, read_administration(call, metrics_path));
  Json summary = metrics_summary(text);
  if (summary.is_null())
    return base::Failure{std::string("there are no metrics: only a running server of Dinette has some")};
  const std::string wanted = call.text("containing");
  if (wanted.empty()) return summary;
  return list_page(call.text("page"), {{"samples", lines_with(text, wanted)}}, "samples");
}

}  // namespace

std::span<const ToolFunction> metrics_tools() {
  static constexpr ToolFunction functions[] = {
      {"metrics", metrics},
  };
  return functions;
}

}  // namespace dinette::mcp
