#include "dynamodb/wire/named_tables.h"

#include <algorithm>

#include "dynamodb/model/resource_arn.h"

namespace dinette::dynamodb::wire {
namespace {

using aws::JsonArray;
using aws::JsonElement;
using aws::JsonObject;
using Names = NamingMember::Names;

/// The table whose name is the key of what is being visited.
using Around = std::optional<std::string_view>;

std::optional<JsonObject> item_of(NamingMembers members, JsonObject structure) {
  const auto found = std::ranges::find(members, Names::item, &NamingMember::names);
  if (found == members.end()) return std::nullopt;
  const auto item = aws::member_of(structure, found->name);
  return item && item->is_object() ? std::optional(item->get_object().value_unsafe()) : std::nullopt;
}

/// Calls `visit` for an object, or for each that is in a list.
template <class Visit>
void for_each_object(JsonElement value, Visit visit) {
  if (value.is_object()) visit(value.get_object().value_unsafe());
  if (!value.is_array()) return;
  const JsonArray list = value.get_array().value_unsafe();
  for (const JsonElement one : list) {
    if (one.is_object()) visit(one.get_object().value_unsafe());
  }
}

class Visitor {
 public:
  Visitor(const VisitTable& visit_table, const VisitStatement& visit_statement)
      : visit_table_(visit_table), visit_statement_(visit_statement) {}

  void visit(NamingMembers members, JsonObject structure, Around around) {
    for (const auto [name, value] : structure) {
      const auto found = std::ranges::find(members, name, &NamingMember::name);
      if (found != members.end()) visit_member(*found, value, members, structure, around);
    }
  }

 private:
  void visit_member(const NamingMember& member, JsonElement value, NamingMembers members,
                    JsonObject structure, Around around) {
    switch (member.names) {
      case Names::nothing:
        return for_each_object(value, [&](JsonObject one) { visit(member.inside, one, around); });
      case Names::table:
        if (value.is_string())
          visit_table_(model::plain_table_name(value.get_string().value_unsafe()),
                       item_of(members, structure));
        return;
      case Names::item:  // else it is visited with the table next to it
        if (around) for_each_object(value, [&](JsonObject item) { visit_table_(*around, item); });
        return;
      case Names::statement:
        if (value.is_string()) visit_statement_(value.get_string().value_unsafe());
        return;
      case Names::tables:
        return visit_keys(member, value);
    }
  }

  void visit_keys(const NamingMember& member, JsonElement map) {
    if (!map.is_object()) return;
    const JsonObject entries = map.get_object().value_unsafe();
    for (const auto [key, value] : entries) {
      const std::string_view table = model::plain_table_name(key);
      visit_table_(table, std::nullopt);
      for_each_object(value, [&](JsonObject one) { visit(member.inside, one, table); });
    }
  }

  const VisitTable& visit_table_;
  const VisitStatement& visit_statement_;
};

}  // namespace

void visit_named(NamingMembers members, JsonObject request, const VisitTable& visit_table,
                 const VisitStatement& visit_statement) {
  Visitor(visit_table, visit_statement).visit(members, request, std::nullopt);
}

std::vector<std::string_view> named_tables(NamingMembers members, JsonObject request) {
  std::vector<std::string_view> names;
  const auto add = [&](std::string_view table, std::optional<JsonObject>) {
    if (names.empty() || names.back() != table) names.push_back(table);
  };
  visit_named(members, request, add, [](std::string_view) {});
  return names;
}

}  // namespace dinette::dynamodb::wire
