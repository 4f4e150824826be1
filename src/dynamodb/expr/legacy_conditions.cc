#include "dynamodb/expr/legacy_conditions.h"

#include <algorithm>
#include <bit>
#include <compare>

#include "dynamodb/api/comparison_operators.h"
#include "dynamodb/model/value_checks.h"
#include "dynamodb/model/value_relations.h"

namespace dinette::dynamodb::expr::legacy {
namespace {

using model::AttributeValue;
using model::Type;
using Check = base::Result<void, ExpressionError>;

base::Failure<ExpressionError> refuse(std::string message) {
  return base::Failure{ExpressionError{std::move(message)}};
}

base::Failure<ExpressionError> refuse_parameters(const std::string& sentence) {
  return refuse(std::string(model::invalid_parameters) + sentence);
}

Check check_types(ComparisonOperator op, const std::vector<AttributeValue>& values) {
  const api::OperandRule& rule = api::operands_of(op);
  for (const auto& value : values) {
    if (rule.allows(value.type())) continue;
    return refuse_parameters("ComparisonOperator " + std::string(to_string(op)) + " is not valid for " +
                             std::string(type_name(value.type())) + " AttributeValue type");
  }
  const auto other_type = [&](const AttributeValue& value) { return value.type() != values.front().type(); };
  if (std::any_of(values.begin(), values.end(), other_type)) {
    return refuse_parameters("AttributeValues inside AttributeValueList must be of same type");
  }
  return {};
}

bool ordered(const AttributeValue& value, ComparisonOperator op, const AttributeValue& bound) {
  const auto order = compare(value, bound);
  if (!order) return false;
  switch (op) {
    case ComparisonOperator::le:
      return *order <= 0;
    case ComparisonOperator::lt:
      return *order < 0;
    case ComparisonOperator::ge:
      return *order >= 0;
    default:
      return *order > 0;
  }
}

bool less(const AttributeValue& a, const AttributeValue& b) {
  return compare(a, b) == std::strong_ordering::less;
}

/// Sorts the values of IN, which are of one type that has an order.
void sort_values(Condition& condition) {
  std::sort(condition.values.begin(), condition.values.end(), less);
  condition.sorted = true;
}

bool is_among(const Condition& condition, const AttributeValue& value, model::Work& work) {
  const auto& values = condition.values;
  if (value.type() != values.front().type()) return false;
  if (condition.sorted) {
    work.add(static_cast<std::size_t>(std::bit_width(values.size())));
    return std::binary_search(values.begin(), values.end(), value, less);
  }
  work.add(values.size());
  return std::find(values.begin(), values.end(), value) != values.end();
}

bool before(const Condition& condition, std::string_view attribute) {
  return condition.attribute < attribute;
}

}  // namespace

Check check(const Condition& condition) {
  // docs/service/legacy-api.md section 2.
  const api::OperandRule& rule = api::operands_of(condition.op);
  const auto& values = condition.values;
  if (values.size() < rule.least || values.size() > rule.most) {
    return refuse_parameters("Invalid number of argument(s) for the " + std::string(to_string(condition.op)) +
                             " ComparisonOperator");
  }
  DINETTE_CHECK(check_types(condition.op, values));
  if (condition.op == ComparisonOperator::between && !condition.refused &&
      compare(values[0], values[1]) == std::strong_ordering::greater) {
    return refuse(
        "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound");
  }
  return {};
}

bool holds(const Condition& condition, const AttributeValue* value, model::Work& work) {
  const auto& values = condition.values;
  switch (condition.op) {
    case ComparisonOperator::eq:
      return value != nullptr && equal(*value, values[0], work);
    case ComparisonOperator::ne:
      return value == nullptr || !equal(*value, values[0], work);
    case ComparisonOperator::le:
    case ComparisonOperator::lt:
    case ComparisonOperator::ge:
    case ComparisonOperator::gt:
      return value != nullptr && ordered(*value, condition.op, values[0]);
    case ComparisonOperator::between:
      return value != nullptr && ordered(*value, ComparisonOperator::ge, values[0]) &&
             ordered(*value, ComparisonOperator::le, values[1]);
    case ComparisonOperator::begins_with:
      return value != nullptr && begins_with(*value, values[0]);
    case ComparisonOperator::contains:
      return value != nullptr && contains(*value, values[0], work);
    case ComparisonOperator::not_contains:
      return value != nullptr && !contains(*value, values[0], work);
    case ComparisonOperator::in_:
      return value != nullptr && is_among(condition, *value, work);
    case ComparisonOperator::null_:
      return value == nullptr;
    case ComparisonOperator::not_null:
      return value != nullptr;
  }
  return false;
}

Conditions::Conditions(std::vector<Condition> conditions, std::optional<ConditionalOperator> combined)
    : conditions_(std::move(conditions)), combined_(combined.value_or(ConditionalOperator::and_)) {
  if (!std::ranges::is_sorted(conditions_, {}, &Condition::attribute))
    std::ranges::sort(conditions_, {}, &Condition::attribute);
  deciding_when_missing_ = static_cast<std::size_t>(
      std::ranges::count_if(conditions_, [&](const auto& one) { return decides_when_missing(one); }));
}

bool Conditions::decides_when_missing(const Condition& condition) const {
  model::Work none;  // there is nothing to look at
  return decides(holds(condition, nullptr, none));
}

bool Conditions::evaluate(const model::Item* item, model::Work& work) const {
  if (conditions_.empty()) return true;
  const bool decided = combined_ == ConditionalOperator::or_;
  std::size_t deciding = deciding_when_missing_;
  if (item == nullptr) return (deciding > 0) == decided;
  auto condition = conditions_.begin();
  for (const model::Attribute& attribute : *item) {
    condition = std::lower_bound(condition, conditions_.end(), attribute.name, before);
    work.add(static_cast<std::size_t>(std::bit_width(conditions_.size())));
    for (; condition != conditions_.end() && condition->attribute == attribute.name; ++condition) {
      if (decides(holds(*condition, &attribute.value, work))) return decided;
      if (decides_when_missing(*condition)) --deciding;
    }
  }
  return (deciding > 0) == decided;
}

std::vector<std::string_view> Conditions::attributes() const {
  std::vector<std::string_view> names;
  names.reserve(conditions_.size());
  for (const auto& condition : conditions_) names.push_back(condition.attribute);
  return names;
}

Check check_conditional_operator(std::optional<ConditionalOperator> combined,
                                 std::optional<std::size_t> conditions) {
  if (!combined) return {};
  if (!conditions) return refuse("ConditionalOperator cannot be used without Filter or Expected");
  if (*conditions < 2) {
    return refuse("ConditionalOperator can only be used when Filter or Expected has two or more elements");
  }
  return {};
}

base::Result<Conditions, ExpressionError> check_filter(std::vector<Condition> filter,
                                                       std::optional<ConditionalOperator> combined) {
  for (const auto& condition : filter) DINETTE_CHECK(check(condition));
  DINETTE_CHECK(check_conditional_operator(combined, filter.size()));
  for (auto& condition : filter) {
    if (condition.op == ComparisonOperator::in_) sort_values(condition);
  }
  return Conditions(std::move(filter), combined);
}

}  // namespace dinette::dynamodb::expr::legacy
