// The tool that shows what programs asked of the server lately.

#include <algorithm>
#include <utility>

#include "mcp/result_page.h"
#include "mcp/tool.h"

namespace dinette::mcp {
namespace {

constexpr const char* recent_path = "/_dinette/requests?limit=1000";  // all that the server keeps
constexpr std::size_t default_requests = 20;
constexpr int most_body_depth = 128;
constexpr std::size_t shown_body_bytes = 2'000;

bool has_failed(const Json& request) {
  return member_of(request, "error").is_string();
}

bool names_table(const Json& request, const Json& table) {
  const Json& tables = member_of(request, "tables");
  return std::ranges::any_of(tables, [&](const Json& one) { return member_of(one, "name") == table; });
}

bool is_wanted(const ToolCall& call, const Json& request) {
  if (call.flag("errors") && !has_failed(request)) return false;
  const Json& operation = call.any("operation");
  if (!operation.is_null() && member_of(request, "operation") != operation) return false;
  const Json& table = call.any("table");
  return table.is_null() || names_table(request, table);
}

std::string beginning_of_body(const Json& body) {
  const Json& text = member_of(body, "text");
  if (!text.is_string()) return "";
  const auto& whole = text.get_ref<const std::string&>();
  const bool cut = whole.size() > shown_body_bytes || member_of(body, "cut") == true;
  return cut ? whole.substr(0, shown_body_bytes) + "..." : whole;
}

/// Returns the message of an error's response; empty if it was dropped or has none.
std::string message_in(const Json& response) {
  const Json& text = member_of(response, "text");
  if (!text.is_string()) return "";
  const auto body = read_json(text.get_ref<const std::string&>(), most_body_depth);
  return body ? message_of(*body) : "";
}

Json shown_request(const Json& request, bool bodies) {
  Json shown = Json::object();
  for (const char* name :
       {"number", "time", "world", "operation", "status", "error", "microseconds", "readUnits", "writeUnits",
        "scanned", "returned", "explanation", "injected", "trace"}) {
    if (const Json& value = member_of(request, name); !value.is_null()) shown[name] = value;
  }
  for (const Json& table : member_of(request, "tables")) shown["tables"].push_back(member_of(table, "name"));
  if (const Json& agent = member_of(member_of(request, "client"), "agent"); agent.is_string() && agent != "")
    shown["client"] = agent;
  const std::string message = has_failed(request) ? message_in(member_of(request, "response")) : "";
  if (!message.empty()) shown["message"] = message;
  if (!bodies) return shown;
  shown["request"] = beginning_of_body(member_of(request, "request"));
  shown["response"] = beginning_of_body(member_of(request, "response"));
  for (const char* name : {"before", "after"}) {
    if (const Json& item = member_of(request, name); !item.is_null()) shown[name] = beginning_of_body(item);
  }
  return shown;
}

/// Returns a page of the requests of a reply that are wanted, the newest first: as many as are asked for, and
/// as fit. Its token has the number of the last one.
ResultPage newest_of(const ToolCall& call, const Json& requests, const PageStart& start) {
  const std::size_t limit = call.number("limit", default_requests);
  Json shown = Json::array();
  for (std::size_t left = requests.size(); left > 0; --left) {
    const Json& request = requests[left - 1];
    const bool seen = start.service.is_number() && member_of(request, "number") >= start.service;
    if (seen || !is_wanted(call, request)) continue;
    if (shown.size() == limit) return cut_page({}, shown, shown.back()["number"]);
    shown.push_back(shown_request(request, call.flag("bodies")));
  }
  return cut_page({}, shown, nullptr);
}

ToolResult recent_requests(const ToolCall& call) {
  DINETTE_TRY(const PageStart start, read_page_start(call.text("page")));
  std::string path = in_world(call, recent_path);
  if (const std::size_t after = call.number("after", 0); after > 0) path += "&after=" + std::to_string(after);
  DINETTE_TRY(const Json reply, administrate(call, "GET", path));
  const Json& requests = member_of(reply, "requests");
  if (!requests.is_array()) return base::Failure{std::string("the server lists no requests")};
  ResultPage page = newest_of(call, requests, start);
  Json result{{"last", member_of(reply, "last")}};
  if (requests.empty()) {
    result["note"] =
        "there is none; if the server was started with --requests 0, recording begins with this call and "
        "ends "
        "one minute after the last one; let the program send its requests now, and call again";
  }
  if (page.next) {
    // What did not fit comes before what was not asked for.
    result["next_page"] = PageStart{page.results.back()["number"], 0}.token();
  }
  result["requests"] = std::move(page.results);
  return result;
}

}  // namespace

std::span<const ToolFunction> request_tools() {
  static constexpr ToolFunction functions[] = {
      {"recent_requests", recent_requests},
  };
  return functions;
}

}  // namespace dinette::mcp
