#include "dynamodb/wire/named_tables.h"

#include <array>
#include <optional>

#include "dynamodb/model/resource_arn.h"

namespace dinette::dynamodb::wire {
namespace {

using aws::JsonObject;
using aws::member_of;

constexpr std::array<std::string_view, 3> name_members = {"TableName", "StreamArn", "ResourceArn"};

void add(std::string_view name_or_arn, std::vector<std::string_view>& names) {
  names.push_back(model::plain_table_name(name_or_arn));
}

void add_members(JsonObject structure, std::vector<std::string_view>& names) {
  for (const std::string_view name : name_members) {
    const auto value = member_of(structure, name);
    if (value && value->is_string()) add(value->get_string().value_unsafe(), names);
  }
}

/// `actions`: a list of structures with one member, such as {"Put": {"TableName": "Music", ...}}.
void add_actions(aws::JsonArray actions, std::vector<std::string_view>& names) {
  for (const aws::JsonElement action : actions) {
    if (!action.is_object()) continue;
    const JsonObject members = action.get_object().value_unsafe();
    for (const auto [kind, fields] : members) {
      if (fields.is_object()) add_members(fields.get_object().value_unsafe(), names);
    }
  }
}

}  // namespace

std::vector<std::string_view> named_tables(JsonObject request) {
  std::vector<std::string_view> names;
  add_members(request, names);
  if (const auto batch = member_of(request, "RequestItems"); batch && batch->is_object()) {
    const JsonObject tables = batch->get_object().value_unsafe();
    for (const auto [name, items] : tables) add(name, names);
  }
  if (const auto actions = member_of(request, "TransactItems"); actions && actions->is_array())
    add_actions(actions->get_array().value_unsafe(), names);
  return names;
}

}  // namespace dinette::dynamodb::wire
