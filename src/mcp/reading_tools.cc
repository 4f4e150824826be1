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

constexpr std::string_view query_properties = R"({
  "table": {"type": "string", "description": "Name of the table."},
  "key_condition": {"type": "string", "description": "KeyConditionExpression: the partition key must equal a value, and the sort key may be compared: \"artist = :a AND #y BETWEEN :from AND :to\", \"pk = :p AND begins_with(sk, :s)\"."},
  "values": {"type": "object", "description": "The values of the placeholders that begin with ':', such as {\":a\": \"Nina Simone\", \":from\": 1960}."},
  "names": {"type": "object", "description": "The attribute names of the placeholders that begin with '#', such as {\"#y\": \"year\"}; needed for reserved words and unusual characters."},
  "filter": {"type": "string", "description": "FilterExpression on attributes that are not keys. It removes items after the limit has been counted, so a page may be empty and have a next_page."},
  "index": {"type": "string", "description": "Name of a secondary index to read instead of the table."},
  "attributes": {"type": "array", "items": {"type": "string"}, "description": "The top-level attributes to return; absent: all."},
  "descending": {"type": "boolean", "description": "true: from the highest sort key to the lowest."},
  "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "Maximum number of items to read; absent: 25."},
  "page": {"type": "string", "description": "next_page of the previous result; the other arguments must be the same."}})";

constexpr std::string_view scan_properties = R"({
  "table": {"type": "string", "description": "Name of the table."},
  "filter": {"type": "string", "description": "FilterExpression, such as \"plays > :n AND contains(tags, :t)\". It removes items after the limit has been counted, so a page may be empty and have a next_page."},
  "values": {"type": "object", "description": "The values of the placeholders that begin with ':', such as {\":n\": 10}."},
  "names": {"type": "object", "description": "The attribute names of the placeholders that begin with '#', such as {\"#y\": \"year\"}."},
  "index": {"type": "string", "description": "Name of a secondary index to read instead of the table."},
  "attributes": {"type": "array", "items": {"type": "string"}, "description": "The top-level attributes to return; absent: all."},
  "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "Maximum number of items to read; absent: 25."},
  "page": {"type": "string", "description": "next_page of the previous result; the other arguments must be the same."}})";

constexpr Tool reading_list[] = {
    {.name = "get_item",
     .title = "Get an item",
     .description = "Reads one item by its whole key. The item is null if there is none.",
     .effect = Effect::reads,
     .properties = R"({
       "table": {"type": "string", "description": "Name of the table."},
       "key": {"type": "object", "description": "All key attributes, such as {\"artist\": \"Nina Simone\", \"year\": 1965}."},
       "attributes": {"type": "array", "items": {"type": "string"}, "description": "The top-level attributes to return; absent: all."}})",
     .required = R"(["table", "key"])",
     .in_world = true,
     .run = get_item},
    {.name = "query",
     .title = "Query a table",
     .description = "Reads items of one partition, in the order of their sort key.",
     .effect = Effect::reads,
     .properties = query_properties,
     .required = R"(["table", "key_condition", "values"])",
     .in_world = true,
     .run = query},
    {.name = "scan",
     .title = "Scan a table",
     .description = "Reads all items of a table, page by page, in no useful order. Use query if the "
                    "partition key is known.",
     .effect = Effect::reads,
     .properties = scan_properties,
     .required = R"(["table"])",
     .in_world = true,
     .run = scan},
    {.name = "execute_statement",
     .title = "Execute a PartiQL statement",
     .description = "Executes one PartiQL statement, such as SELECT * FROM \"Albums\" WHERE artist = ?. "
                    "INSERT, UPDATE and "
                    "DELETE only if the server was started with --allow-writes.",
     .effect = Effect::as_is_allowed,
     .properties = R"({
       "statement": {"type": "string", "maxLength": 8192, "description": "The statement. Names of tables are in double quotes, texts in single quotes."},
       "parameters": {"type": "array", "description": "The values of the question marks, in their order."},
       "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "Maximum number of items that a SELECT reads; absent: 25."},
       "page": {"type": "string", "description": "next_page of the previous result; the other arguments must be the same."}})",
     .required = R"(["statement"])",
     .in_world = true,
     .run = execute_statement},
};

}  // namespace

std::span<const Tool> reading_tools() {
  return reading_list;
}

}  // namespace dinette::mcp
