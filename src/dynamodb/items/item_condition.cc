#include "dynamodb/items/item_condition.h"

#include <utility>

namespace dinette::dynamodb {

namespace legacy = expr::legacy;

ItemCondition::ItemCondition(expr::Condition condition)
    : condition_(std::move(condition)),
      attributes_(in_order(std::get<expr::Condition>(condition_).attributes())) {}

ItemCondition::ItemCondition(legacy::Conditions conditions)
    : condition_(std::move(conditions)),
      attributes_(in_order(std::get<legacy::Conditions>(condition_).attributes())) {}

bool ItemCondition::holds(const model::Item* item, model::Work& work) const {
  if (const auto* expression = std::get_if<expr::Condition>(&condition_))
    return expression->evaluate(item, work);
  if (const auto* conditions = std::get_if<legacy::Conditions>(&condition_))
    return conditions->evaluate(item, work);
  return true;
}

std::span<const std::string_view> ItemCondition::reached_into() const {
  const auto* expression = std::get_if<expr::Condition>(&condition_);
  return expression ? expression->reached_into() : std::span<const std::string_view>();
}

}  // namespace dinette::dynamodb
