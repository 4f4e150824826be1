#pragma once

#include <optional>

#include "dynamodb/api/types.h"
#include "dynamodb/expr/placeholders.h"
#include "dynamodb/ops/context.h"
#include "dynamodb/ops/expression_families.h"
#include "dynamodb/ops/item_condition.h"
#include "dynamodb/ops/stored_item.h"

namespace dinette::dynamodb::ops {

using ExpectedInput = std::optional<codec::Entries<api::ExpectedAttributeValue>>;

/// Expected and ConditionalOperator, checked as far as that needs no table; no condition when neither is
/// there.
Answer<ItemCondition> expected_condition(Envelope envelope, ExpectedInput& expected,
                                         std::optional<api::ConditionalOperator> combined);

/// The first problem of a name or value in Expected.
const codec::ValueProblem* problem_of(const ExpectedInput& expected);

/// A ConditionExpression, parsed and bound.
Answer<ItemCondition> expression_condition(const Context& context, Envelope envelope,
                                           std::string_view expression, expr::Placeholders& placeholders);

/// ConditionalCheckFailedException, with the stored item if that was asked for and there is one.
ApiError condition_failed(std::optional<api::ReturnValuesOnConditionCheckFailure> wanted,
                          const StoredItem& stored);

}  // namespace dinette::dynamodb::ops
