#pragma once

#include <optional>
#include <variant>

#include "dynamodb/api/types.h"
#include "dynamodb/expr/expressions.h"
#include "dynamodb/expr/legacy_conditions.h"
#include "dynamodb/ops/context.h"
#include "dynamodb/ops/expression_families.h"
#include "dynamodb/ops/stored_item.h"

namespace dinette::dynamodb::ops {

/// What the stored item must meet for a Put, Update or Delete to take place: a ConditionExpression, the
/// legacy Expected, or nothing.
class WriteCondition {
 public:
  WriteCondition() = default;
  explicit WriteCondition(expr::Condition condition) : condition_(std::move(condition)) {}
  explicit WriteCondition(expr::legacy::Conditions conditions) : condition_(std::move(conditions)) {}

  bool holds(StoredItem& stored) const;

 private:
  std::variant<std::monostate, expr::Condition, expr::legacy::Conditions> condition_;
};

using ExpectedInput = std::optional<codec::Entries<api::ExpectedAttributeValue>>;

/// Expected and ConditionalOperator, checked as far as that needs no table; no condition when neither is
/// there.
Answer<WriteCondition> expected_condition(Envelope envelope, ExpectedInput& expected,
                                          std::optional<api::ConditionalOperator> combined);

/// The first problem of a value in Expected.
const codec::ValueProblem* problem_of(const ExpectedInput& expected);

/// A ConditionExpression, parsed and bound.
Answer<WriteCondition> expression_condition(const Context& context, Envelope envelope,
                                            std::string_view expression, expr::Placeholders& placeholders);

/// ConditionalCheckFailedException, with the stored item if that was asked for and there is one.
ApiError condition_failed(std::optional<api::ReturnValuesOnConditionCheckFailure> wanted,
                          const StoredItem& stored);

}  // namespace dinette::dynamodb::ops
