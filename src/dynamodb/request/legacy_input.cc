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
    for (auto& value : *element.attribute_value_list) condition.values.push_back(std::move(value.value));
  }
  return conditions;
}

const codec::ValueProblem* problem_of(const ConditionsInput& conditions) {
  if (!conditions) return nullptr;
  for (const auto& [attribute, element] : *conditions) {
    if (const auto* problem = codec::problem_of_name(attribute)) return problem;
    if (!element.attribute_value_list) continue;
    for (const auto& value : *element.attribute_value_list) {
      if (value.problem) return &*value.problem;
    }
  }
  return nullptr;
}

}  // namespace dinette::dynamodb
