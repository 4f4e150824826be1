#pragma once

#include <optional>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/expected_attribute_value.h"
#include "dynamodb/expr/expressions.h"
#include "dynamodb/expr/placeholders.h"
#include "dynamodb/items/item_condition.h"
#include "dynamodb/items/stored_item.h"
#include "dynamodb/request/context.h"
#include "dynamodb/request/expression_families.h"

namespace dinette::dynamodb {

using ExpectedInput = std::optional<codec::Entries<api::ExpectedAttributeValue>>;

/// Expected and ConditionalOperator, checked as far as that needs no table; no condition when neither is
/// there.
Answer<ItemCondition> expected_condition(Envelope envelope, ExpectedInput& expected,
                                         std::optional<api::ConditionalOperator> combined);

/// The first problem of a name or value in Expected.
const codec::ValueProblem* problem_of(const ExpectedInput& expected);

/// A ConditionExpression, parsed and bound.
Answer<ItemCondition> expression_condition(const Context& context, Envelope envelope,
                                           std::string_view expression, expr::Placeholders& placeholders,
                                           expr::SizeTail tail = expr::SizeTail::omitted);

/// ConditionalCheckFailedException, with the stored item if that was asked for and there is one.
ApiError condition_failed(api::ReturnValuesOnConditionCheckFailure wanted, StoredItem& stored);

}  // namespace dinette::dynamodb
