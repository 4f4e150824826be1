#pragma once

#include <span>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

#include "dynamodb/expr/expression_error.h"
#include "dynamodb/expr/key_condition.h"
#include "dynamodb/expr/legacy_conditions.h"
#include "dynamodb/model/attribute_value.h"

/// The legacy parameters of reads: KeyConditions, AttributesToGet (facts: legacy-api.md
/// sections 6 to 8).
namespace dinette::dynamodb::expr::legacy {

/// KeyConditions as the clauses that expr::match_key lays over the schema, in the order given; they refer to
/// `conditions`.
base::Result<KeyClauses, ExpressionError> key_clauses(std::span<const Condition> conditions);

/// No name twice. That there is one at all is a constraint of the API model.
base::Result<void, ExpressionError> check_attributes_to_get(std::span<const std::string> names);

}  // namespace dinette::dynamodb::expr::legacy
