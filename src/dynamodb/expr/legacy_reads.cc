#include "dynamodb/expr/legacy_reads.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "dynamodb/model/value_checks.h"

namespace dinette::dynamodb::expr::legacy {
namespace {

base::Failure<ExpressionError> refuse_number_of_conditions() {
  return {ExpressionError{"Conditions can be of length 1 or 2 only"}};
}

std::optional<KeyOperator> key_operator(ComparisonOperator op) {
  switch (op) {
    case ComparisonOperator::eq:
      return KeyOperator::equal;
    case ComparisonOperator::le:
      return KeyOperator::less_equal;
    case ComparisonOperator::lt:
      return KeyOperator::less;
    case ComparisonOperator::ge:
      return KeyOperator::greater_equal;
    case ComparisonOperator::gt:
      return KeyOperator::greater;
    case ComparisonOperator::between:
      return KeyOperator::between;
    case ComparisonOperator::begins_with:
      return KeyOperator::begins_with;
    default:
      return std::nullopt;
  }
}

}  // namespace

base::Result<void, ExpressionError> check_key_conditions(std::span<const Condition> conditions,
                                                         std::size_t most) {
  if (conditions.empty() || conditions.size() > most) return refuse_number_of_conditions();
  for (const auto& condition : conditions) DINETTE_CHECK(check(condition));
  return {};
}

base::Result<KeyClauses, ExpressionError> key_clauses(std::span<const Condition> conditions,
                                                      std::span<const KeyPart> schema) {
  const bool ordinary = schema.size() <= max_key_conditions;
  if (ordinary && conditions.size() > max_key_conditions) return refuse_number_of_conditions();
  KeyClauses clauses;
  for (const auto& condition : conditions) {
    const auto op = key_operator(condition.op);
    if (!op)
      return base::Failure{ExpressionError{"Attempted conditional constraint is not an indexable operation"}};
    const auto* const high = *op == KeyOperator::between ? &condition.values[1] : nullptr;
    clauses.push_back({condition.attribute, *op, &condition.values[0], high});
  }
  return clauses;
}

base::Result<void, ExpressionError> check_attributes_to_get(std::span<const std::string> names) {
  std::unordered_set<std::string_view> seen;
  for (const auto& name : names) {
    if (name.empty()) return base::Failure{ExpressionError{std::string(model::empty_attribute_name)}};
    if (seen.insert(name).second) continue;
    return base::Failure{ExpressionError{std::string(model::invalid_parameters) +
                                         "Duplicate value in attribute name: " + name}};
  }
  return {};
}

}  // namespace dinette::dynamodb::expr::legacy
