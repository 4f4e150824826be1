// Tools that read items.

#include <algorithm>

#include "dinette/base/ascii.h"

#include "mcp/result_page.h"
#include "mcp/tool.h"
#include "mcp/values.h"

namespace dinette::mcp {
namespace {

constexpr int default_limit = 25;

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

int limit_of(const ToolCall& call) {
  const Json& limit = call.any("limit");
  return limit.is_null() ? default_limit : limit.get<int>();
}

Json shown_page(ResultPage page) {
  Json items = Json::array();
  for (const Json& item : page.results) items.push_back(item);
  Json result{{"count", items.size()}, {"items", std::move(items)}};
  if (page.next) result["next_page"] = page.next->token();
  return result;
}

/// Returns a page of the items of a reply. `next`: its member that says where the next page begins.
Json page_of(const PageStart& start, Json& reply, const char* next) {
  Json items = Json::array();
  for (const Json& item : reply["Items"]) items.push_back(shown_item(item));
  return shown_page(cut_page(start, std::move(items), reply[next]));
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
  request["Limit"] = limit_of(call);
  add_member(call, request, "index", "IndexName");
  add_member(call, request, "filter", "FilterExpression");
  add_member(call, request, "names", "ExpressionAttributeNames");
  if (const Json& values = call.any("values"); !values.is_null())
    request["ExpressionAttributeValues"] = typed_members(values);
  add_projection(call, request);
  if (!start.service.is_null()) request["ExclusiveStartKey"] = start.service;
  DINETTE_TRY(Json reply, operate(call, operation, request));
  return page_of(start, reply, "LastEvaluatedKey");
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
  Json request{{"Statement", statement}};
  if (is_select(statement)) request["Limit"] = limit_of(call);
  if (const Json& parameters = call.any("parameters"); !parameters.is_null() && !parameters.empty()) {
    for (const Json& one : parameters) request["Parameters"].push_back(typed_value(one));
  }
  if (!start.service.is_null()) request["NextToken"] = start.service;
  DINETTE_TRY(Json reply, operate(call, "ExecuteStatement", request));
  return page_of(start, reply, "NextToken");
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
