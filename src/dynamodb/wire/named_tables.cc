#include "dynamodb/wire/named_tables.h"

#include <algorithm>
#include <array>
#include <optional>

#include "dynamodb/model/resource_arn.h"

namespace dinette::dynamodb::wire {
namespace {

using aws::JsonObject;
using aws::member_of;

/// Members that name a table, by its name, its ARN, or the ARN of something of it.
constexpr std::array<std::string_view, 11> name_members = {
    "TableName",       "StreamArn", "ResourceArn", "TableArn",  "SourceTableName", "SourceTableArn",
    "TargetTableName", "BackupArn", "ExportArn",   "ImportArn", "BulkOperationArn"};
constexpr std::array<std::string_view, 2> item_members = {"Key", "Item"};

std::optional<JsonObject> item_of(JsonObject structure) {
  for (const std::string_view name : item_members) {
    const auto item = member_of(structure, name);
    if (item && item->is_object()) return item->get_object().value_unsafe();
  }
  return std::nullopt;
}

void visit_structure(JsonObject structure, const VisitNamed& visit) {
  for (const auto [name, value] : structure) {
    if (value.is_string() && std::ranges::find(name_members, name) != name_members.end())
      visit(model::plain_table_name(value.get_string().value_unsafe()), item_of(structure));
  }
}

/// Calls `visit` for each member of the structures in a list, such as {"Put": {...}}, that is an object.
template <class Visit>
void visit_members(aws::JsonArray list, Visit visit) {
  for (const aws::JsonElement one : list) {
    if (!one.is_object()) continue;
    const JsonObject members = one.get_object().value_unsafe();
    for (const auto [kind, fields] : members) {
      if (fields.is_object()) visit(fields.get_object().value_unsafe());
    }
  }
}

/// `items`: {"Keys": [...]} or a list of {"PutRequest": {"Item": ...}} and {"DeleteRequest": {"Key": ...}}.
void visit_batch(std::string_view table, aws::JsonElement items, const VisitNamed& visit) {
  visit(table, std::nullopt);
  if (items.is_array()) {
    visit_members(items.get_array().value_unsafe(),
                  [&](JsonObject request) { visit(table, item_of(request)); });
    return;
  }
  if (!items.is_object()) return;
  const auto keys = member_of(items.get_object().value_unsafe(), "Keys");
  if (!keys || !keys->is_array()) return;
  const aws::JsonArray list = keys->get_array().value_unsafe();
  for (const aws::JsonElement key : list) {
    if (key.is_object()) visit(table, key.get_object().value_unsafe());
  }
}

}  // namespace

void visit_named(JsonObject request, const VisitNamed& visit) {
  visit_structure(request, visit);
  if (const auto table = member_of(request, "TableCreationParameters"); table && table->is_object())
    visit_structure(table->get_object().value_unsafe(), visit);
  if (const auto batch = member_of(request, "RequestItems"); batch && batch->is_object()) {
    const JsonObject tables = batch->get_object().value_unsafe();
    for (const auto [name, items] : tables) visit_batch(model::plain_table_name(name), items, visit);
  }
  if (const auto actions = member_of(request, "TransactItems"); actions && actions->is_array()) {
    visit_members(actions->get_array().value_unsafe(),
                  [&](JsonObject action) { visit_structure(action, visit); });
  }
}

std::vector<std::string_view> named_tables(JsonObject request) {
  std::vector<std::string_view> names;
  visit_named(request, [&](std::string_view table, std::optional<JsonObject>) {
    if (names.empty() || names.back() != table) names.push_back(table);
  });
  return names;
}

}  // namespace dinette::dynamodb::wire
