#pragma once

#include <optional>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/expected_attribute_value.h"
#include "dynamodb/items/item_condition.h"
#include "dynamodb/items/stored_item.h"
#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

using ExpectedInput = std::optional<codec::Entries<api::ExpectedAttributeValue>>;

/// Returns Expected and ConditionalOperator, after the checks that need no table; no condition if both are
/// absent.
Answer<ItemCondition> expected_condition(Envelope envelope, ExpectedInput& expected,
                                         std::optional<api::ConditionalOperator> combined);

/// The problem of a name or value in Expected that is reported (codec::FirstProblem), null for none.
const codec::ValueProblem* problem_of(const ExpectedInput& expected);

/// Returns ConditionalCheckFailedException, with the stored item if it was requested and exists.
ApiError condition_failed(api::ReturnValuesOnConditionCheckFailure wanted, StoredItem& stored);

}  // namespace dinette::dynamodb
