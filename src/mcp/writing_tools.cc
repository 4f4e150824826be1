// Tools that write items.

#include "mcp/result_page.h"
#include "mcp/tool.h"
#include "mcp/values.h"

namespace dinette::mcp {
namespace {

/// Adds what the arguments say about conditions and placeholders.
void add_expressions(const ToolCall& call, Json& request) {
  if (const Json& condition = call.any("condition"); !condition.is_null())
    request["ConditionExpression"] = condition;
  if (const Json& names = call.any("names"); !names.is_null()) request["ExpressionAttributeNames"] = names;
  if (const Json& values = call.any("values"); !values.is_null())
    request["ExpressionAttributeValues"] = typed_members(values);
}

/// Carries out a write, and returns the item of the answer's Attributes, or null, as `name`.
ToolResult write(const ToolCall& call, const char* operation, Json request, const char* name) {
  request["TableName"] = call.any("table");
  add_expressions(call, request);
  DINETTE_TRY(const Json reply, operate(call, operation, request));
  const auto item = reply.find("Attributes");
  return Json{{name, item == reply.end() ? Json() : shown_item(*item)}};
}

ToolResult put_item(const ToolCall& call) {
  return write(call, "PutItem", {{"Item", typed_members(call.any("item"))}, {"ReturnValues", "ALL_OLD"}},
               "replaced");
}

ToolResult update_item(const ToolCall& call) {
  return write(call, "UpdateItem",
               {{"Key", typed_members(call.any("key"))},
                {"UpdateExpression", call.any("update")},
                {"ReturnValues", "ALL_NEW"}},
               "item");
}

ToolResult delete_item(const ToolCall& call) {
  return write(call, "DeleteItem", {{"Key", typed_members(call.any("key"))}, {"ReturnValues", "ALL_OLD"}},
               "deleted");
}

}  // namespace

std::span<const ToolFunction> writing_tools() {
  static constexpr ToolFunction functions[] = {
      {"put_item", put_item},
      {"update_item", update_item},
      {"delete_item", delete_item},
  };
  return functions;
}

}  // namespace dinette::mcp
