// Tools that tell what tables there are, and make one.

#include "mcp/result_page.h"
#include "mcp/tool.h"

namespace dinette::mcp {
namespace {

constexpr int most_names = 100;

ToolResult list_tables(const ToolCall& call) {
  DINETTE_TRY(const PageStart start, read_page_start(call.text("page")));
  Json request{{"Limit", most_names}};
  if (!start.service.is_null()) request["ExclusiveStartTableName"] = start.service;
  DINETTE_TRY(Json reply, operate(call, "ListTables", request));
  ResultPage page = cut_page(start, std::move(reply["TableNames"]), reply["LastEvaluatedTableName"]);
  Json result{{"tables", std::move(page.results)}};
  if (page.next) result["next_page"] = page.next->token();
  return result;
}

ToolResult describe_table(const ToolCall& call) {
  const Json request{{"TableName", call.any("table")}};
  DINETTE_TRY(Json reply, operate(call, "DescribeTable", request));
  DINETTE_TRY(Json expiry, operate(call, "DescribeTimeToLive", request));
  Json result{{"table", std::move(reply["Table"])}};
  const Json& attribute = expiry["TimeToLiveDescription"]["AttributeName"];
  if (!attribute.is_null()) result["time_to_live_attribute"] = attribute;
  return result;
}

void add_key(Json& request, const Json& key, const char* role) {
  if (key.is_null()) return;
  request["KeySchema"].push_back({{"AttributeName", key.value("name", Json())}, {"KeyType", role}});
  request["AttributeDefinitions"].push_back(
      {{"AttributeName", key.value("name", Json())}, {"AttributeType", key.value("type", Json("S"))}});
}

ToolResult create_table(const ToolCall& call) {
  Json request{{"TableName", call.any("table")}, {"BillingMode", "PAY_PER_REQUEST"}};
  add_key(request, call.any("partition_key"), "HASH");
  add_key(request, call.any("sort_key"), "RANGE");
  DINETTE_TRY(Json reply, operate(call, "CreateTable", request));
  return Json{{"created", reply["TableDescription"]["TableName"]}};
}

constexpr Tool table_list[] = {
    {.name = "list_tables",
     .title = "List tables",
     .description = "Lists the names of the tables, up to 100 per page.",
     .effect = Effect::reads,
     .properties = R"({"page": {"type": "string", "description": "next_page of the previous result."}})",
     .required = "[]",
     .in_world = true,
     .run = list_tables},
    {.name = "describe_table",
     .title = "Describe a table",
     .description =
         "Describes a table: its key attributes and their types, its secondary indexes, its stream, the "
         "number of its items. Call it before you read or write a table that you do not know.",
     .effect = Effect::reads,
     .properties = R"({"table": {"type": "string", "description": "Name of the table."}})",
     .required = R"(["table"])",
     .in_world = true,
     .run = describe_table},
    {.name = "create_table",
     .title = "Create a table",
     .description = "Creates an on-demand table without secondary indexes.",
     .effect = Effect::adds,
     .properties = R"({
       "table": {"type": "string", "description": "Name of the table: 3 to 255 letters, digits, '_', '-' and '.'."},
       "partition_key": {"type": "object", "description": "Such as {\"name\": \"artist\", \"type\": \"S\"}. Types: S (string, the default), N (number), B (binary)."},
       "sort_key": {"type": "object", "description": "The same for a sort key, if items of one partition have one."}})",
     .required = R"(["table", "partition_key"])",
     .in_world = true,
     .run = create_table},
};

}  // namespace

std::span<const Tool> table_tools() {
  return table_list;
}

}  // namespace dinette::mcp
