#include "dynamodb/request/legacy_input.h"

namespace dinette::dynamodb {

namespace legacy = expr::legacy;

std::vector<legacy::Condition> conditions_of(ConditionsInput& sent) {
  std::vector<legacy::Condition> conditions;
  for (auto& [attribute, element] : *sent) {
    auto& condition = conditions.emplace_back();
    condition.attribute = attribute;
    condition.op = element.comparison_operator;
    if (!element.attribute_value_list) continue;
    for (auto& value : *element.attribute_value_list) {
      condition.values.push_back(std::move(value.value));
      condition.refused |= value.problem.has_value();
    }
  }
  return conditions;
}

const codec::ValueProblem* problem_of(const ConditionsInput& conditions) {
  codec::FirstProblem first;
  if (!conditions) return nullptr;
  for (const auto& [attribute, element] : *conditions) {
    first.add(codec::problem_of_name(attribute));
    if (!element.attribute_value_list) continue;
    for (const auto& value : *element.attribute_value_list) first.add(value.problem);
  }
  return first.get();
}

}  // namespace dinette::dynamodb
