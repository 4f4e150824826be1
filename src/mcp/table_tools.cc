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

}  // namespace

std::span<const ToolFunction> table_tools() {
  static constexpr ToolFunction functions[] = {
      {"list_tables", list_tables},
      {"describe_table", describe_table},
      {"create_table", create_table},
  };
  return functions;
}

}  // namespace dinette::mcp
