#include <iterator>

#include "dynamodb/expr/legacy_conditions.h"
#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb::expr::legacy {
namespace {

using ConditionResult = base::Result<Condition, ExpressionError>;

base::Failure<ExpressionError> refuse(std::string_view sentence, const ExpectedAttribute& element) {
  return base::Failure{ExpressionError{
      std::string(model::invalid_parameters).append(sentence).append(" for Attribute: ") + element.name}};
}

/// Reads `{ComparisonOperator, AttributeValueList}` or `{ComparisonOperator, Value}`.
ConditionResult compared(ExpectedAttribute& element) {
  const bool needs_no_values =
      element.op == ComparisonOperator::null_ || element.op == ComparisonOperator::not_null;
  if (!element.value && !element.list && !needs_no_values) {
    return refuse("Value or AttributeValueList must be used with ComparisonOperator: " +
                      std::string(to_string(*element.op)),
                  element);
  }
  Condition condition{std::move(element.name), *element.op, {}};
  condition.refused = element.refused;
  if (element.list) condition.values = *std::move(element.list);
  if (element.value) condition.values.push_back(*std::move(element.value));
  DINETTE_CHECK(check(condition));
  return condition;
}

/// Reads `{Exists, Value}`.
ConditionResult existing(ExpectedAttribute& element) {
  if (!element.value) {
    if (!element.exists) return refuse("Value must be provided when Exists is null", element);
    if (*element.exists) return refuse("Value must be provided when Exists is true", element);
    return Condition{std::move(element.name), ComparisonOperator::null_, {}};
  }
  if (!element.exists.value_or(true)) return refuse("Value cannot be used when Exists is false", element);
  return Condition{std::move(element.name), ComparisonOperator::eq, {*std::move(element.value)}};
}

/// Checks which of its members an element has together (docs/service/legacy-api.md section 3).
ConditionResult condition_of(ExpectedAttribute& element) {
  if (element.value && element.list)
    return refuse("Value and AttributeValueList cannot be used together", element);
  if (element.exists && element.op)
    return refuse("Exists and ComparisonOperator cannot be used together", element);
  if (element.list && !element.op) {
    return refuse("AttributeValueList can only be used with a ComparisonOperator", element);
  }
  return element.op ? compared(element) : existing(element);
}

}  // namespace

base::Result<Conditions, ExpressionError> check_expected(std::vector<ExpectedAttribute> expected,
                                                         std::optional<ConditionalOperator> combined) {
  std::vector<Condition> conditions;
  conditions.reserve(expected.size());
  for (auto& element : expected) {
    DINETTE_TRY(auto condition, condition_of(element));
    conditions.push_back(std::move(condition));
  }
  DINETTE_CHECK(check_conditional_operator(combined, conditions.size()));
  return Conditions(std::move(conditions), combined);
}

}  // namespace dinette::dynamodb::expr::legacy
