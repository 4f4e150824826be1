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

constexpr Tool writing_list[] = {
    {.name = "put_item",
     .title = "Put an item",
     .description = "Writes a whole item. An item of the same key is replaced, and returned as 'replaced'.",
     .effect = Effect::destroys,
     .properties = R"({
       "table": {"type": "string", "description": "Name of the table."},
       "item": {"type": "object", "description": "The item, with all key attributes, in plain JSON: {\"artist\": \"Nina Simone\", \"year\": 1965, \"tags\": [\"jazz\"]}. What plain JSON cannot say is written as DynamoDB has it: {\"SS\": [\"a\", \"b\"]}, {\"B\": \"AP8=\"}, {\"N\": \"0.1234567890123456789\"}; a whole item may be, too."},
       "condition": {"type": "string", "description": "ConditionExpression, such as \"attribute_not_exists(artist)\"."},
       "values": {"type": "object", "description": "The values of the placeholders that begin with ':'."},
       "names": {"type": "object", "description": "The attribute names of the placeholders that begin with '#'."}})",
     .required = R"(["table", "item"])",
     .in_world = true,
     .run = put_item},
    {.name = "update_item",
     .title = "Update an item",
     .description =
         "Changes attributes of one item, which is created if it does not exist. Returns the new item.",
     .effect = Effect::destroys,
     .properties = R"({
       "table": {"type": "string", "description": "Name of the table."},
       "key": {"type": "object", "description": "All key attributes of the item."},
       "update": {"type": "string", "description": "UpdateExpression, such as \"SET plays = plays + :one, #y = :year REMOVE draft\"."},
       "values": {"type": "object", "description": "The values of the placeholders that begin with ':', such as {\":one\": 1}."},
       "names": {"type": "object", "description": "The attribute names of the placeholders that begin with '#', such as {\"#y\": \"year\"}."},
       "condition": {"type": "string", "description": "ConditionExpression, such as \"attribute_exists(artist)\"."}})",
     .required = R"(["table", "key", "update"])",
     .in_world = true,
     .run = update_item},
    {.name = "delete_item",
     .title = "Delete an item",
     .description = "Deletes one item by its whole key, and returns it; null if there was none.",
     .effect = Effect::destroys,
     .properties = R"({
       "table": {"type": "string", "description": "Name of the table."},
       "key": {"type": "object", "description": "All key attributes of the item."},
       "condition": {"type": "string", "description": "ConditionExpression, such as \"plays < :n\"."},
       "values": {"type": "object", "description": "The values of the placeholders that begin with ':'."},
       "names": {"type": "object", "description": "The attribute names of the placeholders that begin with '#'."}})",
     .required = R"(["table", "key"])",
     .in_world = true,
     .run = delete_item},
};

}  // namespace

std::span<const Tool> writing_tools() {
  return writing_list;
}

}  // namespace dinette::mcp
