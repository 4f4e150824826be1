#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "dinette/base/result.h"

#include "dynamodb/expr/expression_error.h"
#include "dynamodb/expr/key_condition.h"
#include "dynamodb/expr/legacy_conditions.h"
#include "dynamodb/model/attribute_value.h"

/// The legacy parameters of reads: KeyConditions, AttributesToGet (docs/service/legacy-api.md
/// sections 6 to 8).
namespace dinette::dynamodb::expr::legacy {

/// How many conditions an ordinary key has; one of an index may have several attributes in either role.
inline constexpr std::size_t max_key_conditions = 2;

/// Checks what needs no schema: that there are 1 to `most` conditions, number and types of their values.
base::Result<void, ExpressionError> check_key_conditions(std::span<const Condition> conditions,
                                                         std::size_t most);

/// Returns checked KeyConditions as the clauses that expr::match_key lays over `schema`, in the order given;
/// they refer to `conditions`. Refuses too many of them, and operators that no key has.
base::Result<KeyClauses, ExpressionError> key_clauses(std::span<const Condition> conditions,
                                                      std::span<const KeyPart> schema);

/// Checks that no name is empty or repeated. That there is a name is a constraint of the API model.
base::Result<void, ExpressionError> check_attributes_to_get(std::span<const std::string> names);

}  // namespace dinette::dynamodb::expr::legacy
