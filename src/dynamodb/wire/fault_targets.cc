#include "dynamodb/wire/fault_targets.h"

#include <string>
#include <utility>

#include "dynamodb/expr/cache.h"
#include "dynamodb/model/number.h"
#include "dynamodb/model/resource_arn.h"
#include "dynamodb/partiql/statement.h"
#include "dynamodb/wire/named_tables.h"

namespace dinette::dynamodb::wire {
namespace {

using aws::JsonObject;
using tenancy::FaultAttribute;
using tenancy::FaultTarget;

std::vector<FaultAttribute> attributes_of(JsonObject item) {
  std::vector<FaultAttribute> attributes;
  for (const auto [name, typed] : item) {
    if (!typed.is_object()) continue;
    const JsonObject value = typed.get_object().value_unsafe();
    for (const auto [type, text] : value) {
      if (!text.is_string()) continue;
      if (auto one = fault_attribute(name, type, text.get_string().value_unsafe()))
        attributes.push_back(*std::move(one));
    }
  }
  return attributes;
}

}  // namespace

std::vector<FaultTarget> fault_targets(const Context& context, const Endpoint& endpoint, JsonObject request) {
  std::vector<FaultTarget> targets;
  const auto add_table = [&](std::string_view table, std::optional<JsonObject> item) {
    FaultTarget& target = targets.emplace_back(FaultTarget{std::string(table)});
    if (item) target.attributes = attributes_of(*item);
  };
  // A malformed one names no table.
  const auto add_statement = [&](std::string_view text) {
    const auto statement = context.expressions.statement(text, partiql::compile);
    if (statement) targets.push_back({std::string(model::plain_table_name((*statement)->table))});
  };
  visit_named(endpoint.naming_members, request, add_table, add_statement);
  return targets;
}

std::optional<FaultAttribute> fault_attribute(std::string_view name, std::string_view type,
                                              std::string_view value) {
  if (type != "S" && type != "N" && type != "B") return std::nullopt;
  FaultAttribute attribute{std::string(name), std::string(type), std::string(value)};
  if (type == "N") {
    const auto number = model::Number::parse(value);
    if (!number) return std::nullopt;
    attribute.value = number->to_string();
  }
  return attribute;
}

}  // namespace dinette::dynamodb::wire
