// Tools that read items.

#include <algorithm>
#include <cstddef>
#include <utility>

#include "dinette/base/ascii.h"

#include "mcp/read_on.h"
#include "mcp/result_page.h"
#include "mcp/tool.h"
#include "mcp/values.h"

namespace dinette::mcp {
namespace {

constexpr std::size_t default_limit = 25;

/// Sets ProjectionExpression to the attributes that the call asks for, each by a placeholder: no name is
/// reserved then.
void add_projection(const ToolCall& call, Json& request) {
  const Json& attributes = call.any("attributes");
  if (attributes.is_null() || attributes.empty()) return;
  std::string projection;
  for (const Json& name : attributes) {
    const std::string placeholder = "#shown" + std::to_string(request["ExpressionAttributeNames"].size());
    request["ExpressionAttributeNames"][placeholder] = name;
    projection += (projection.empty() ? "" : ", ") + placeholder;
  }
  request["ProjectionExpression"] = projection;
}

void add_member(const ToolCall& call, Json& request, const char* argument, const char* member) {
  if (const Json& value = call.any(argument); !value.is_null()) request[member] = value;
}

std::size_t limit_of(const ToolCall& call) {
  return call.number("limit", default_limit);
}

/// Returns a reply as a page. `next`: its member that says where the next page begins.
ServicePage page_of(ExplainedReply reply, const char* next) {
  ServicePage page;
  for (const Json& item : reply.body["Items"]) page.items.push_back(shown_item(item));
  page.next = std::move(reply.body[next]);
  page.units = number_of(member_of(reply.body, "ConsumedCapacity"), "CapacityUnits");
  page.looked_at = count_of(reply.body, "ScannedCount");
  if (!page.looked_at) page.looked_at = count_of(reply.explanation, "ScannedCount");
  page.explanation = std::move(reply.explanation);
  return page;
}

std::string why_stopped(const FoundItems& found, std::size_t limit) {
  const std::string looked_at =
      found.looked_at ? "looked at " + std::to_string(*found.looked_at) + " items and " : "";
  return looked_at + "found " + std::to_string(found.page.results.size()) + " of " + std::to_string(limit) +
         "; to look further, call again with next_page as 'page'";
}

Json shown(FoundItems found, const ToolCall& call) {
  Json result{{"count", found.page.results.size()}};
  if (found.looked_at) result["looked_at"] = *found.looked_at;
  if (found.units) result["capacity_units"] = *found.units;
  if (call.flag("explain")) {
    result["explanation"] =
        found.explanation.is_null() ? Json("the server gives none") : std::move(found.explanation);
  }
  if (found.stopped) result["note"] = why_stopped(found, limit_of(call));
  if (found.page.next) result["next_page"] = found.page.next->token();
  result["items"] = std::move(found.page.results);
  return result;
}

ToolResult get_item(const ToolCall& call) {
  Json request{
      {"TableName", call.any("table")}, {"Key", typed_members(call.any("key"))}, {"ConsistentRead", true}};
  add_projection(call, request);
  DINETTE_TRY(const Json reply, operate(call, "GetItem", request));
  const auto item = reply.find("Item");
  return Json{{"item", item == reply.end() ? Json() : shown_item(*item)}};
}

/// Carries out Query or Scan; `request` has what only one of them takes.
ToolResult read_items(const ToolCall& call, const char* operation, Json request) {
  DINETTE_TRY(const PageStart start, read_page_start(call.text("page")));
  request["TableName"] = call.any("table");
  request["ReturnConsumedCapacity"] = "TOTAL";
  add_member(call, request, "index", "IndexName");
  add_member(call, request, "filter", "FilterExpression");
  add_member(call, request, "names", "ExpressionAttributeNames");
  if (const Json& values = call.any("values"); !values.is_null())
    request["ExpressionAttributeValues"] = typed_members(values);
  add_projection(call, request);
  const auto read = [&](const Json& from, std::size_t most) -> base::Result<ServicePage, std::string> {
    request["Limit"] = most;
    if (!from.is_null()) request["ExclusiveStartKey"] = from;
    if (call.flag("explain")) {
      DINETTE_TRY(ExplainedReply reply, operate_explained(call, operation, request));
      return page_of(std::move(reply), "LastEvaluatedKey");
    }
    DINETTE_TRY(Json reply, operate(call, operation, request));
    return page_of({std::move(reply), nullptr}, "LastEvaluatedKey");
  };
  DINETTE_TRY(FoundItems found, read_on(start, limit_of(call), read));
  return shown(std::move(found), call);
}

ToolResult query(const ToolCall& call) {
  Json request{{"KeyConditionExpression", call.any("key_condition")}};
  if (call.any("descending") == true) request["ScanIndexForward"] = false;
  return read_items(call, "Query", std::move(request));
}

ToolResult scan(const ToolCall& call) {
  return read_items(call, "Scan", Json::object());
}

/// Returns true if the first word is SELECT; no other statement begins with it.
bool is_select(std::string_view statement) {
  constexpr std::string_view select = "select";
  statement.remove_prefix(std::min(statement.find_first_not_of(" \t\r\n"), statement.size()));
  return base::equal_ignoring_case(statement.substr(0, select.size()), select) &&
         (statement.size() == select.size() || !base::is_word_character(statement[select.size()]));
}

ToolResult execute_statement(const ToolCall& call) {
  const std::string statement = call.text("statement");
  if (!call.allow_writes && !is_select(statement)) {
    return base::Failure{
        std::string("only SELECT is allowed: dinette mcp was started without --allow-writes")};
  }
  DINETTE_TRY(const PageStart start, read_page_start(call.text("page")));
  Json request{{"Statement", statement}, {"ReturnConsumedCapacity", "TOTAL"}};
  if (const Json& parameters = call.any("parameters"); !parameters.is_null() && !parameters.empty()) {
    for (const Json& one : parameters) request["Parameters"].push_back(typed_value(one));
  }
  const auto read = [&](const Json& from, std::size_t most) -> base::Result<ServicePage, std::string> {
    if (is_select(statement)) request["Limit"] = most;
    if (!from.is_null()) request["NextToken"] = from;
    // Only the explanation says how many items were looked at.
    DINETTE_TRY(ExplainedReply reply, operate_explained(call, "ExecuteStatement", request));
    return page_of(std::move(reply), "NextToken");
  };
  DINETTE_TRY(FoundItems found, read_on(start, limit_of(call), read));
  return shown(std::move(found), call);
}

}  // namespace

std::span<const ToolFunction> reading_tools() {
  static constexpr ToolFunction functions[] = {
      {"get_item", get_item},
      {"query", query},
      {"scan", scan},
      {"execute_statement", execute_statement},
  };
  return functions;
}

}  // namespace dinette::mcp
