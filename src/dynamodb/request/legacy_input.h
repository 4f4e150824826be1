#pragma once

#include <optional>
#include <vector>

#include "dynamodb/api/condition.h"
#include "dynamodb/expr/legacy_conditions.h"

/// The legacy parameters as the API's types hold them, turned into what expr::legacy works with.
namespace dinette::dynamodb {

/// KeyConditions, QueryFilter or ScanFilter.
using ConditionsInput = std::optional<codec::Entries<api::Condition>>;

/// The elements of one of these that is there; takes their values out of `sent`.
std::vector<expr::legacy::Condition> conditions_of(ConditionsInput& sent);

/// The problem of a name or value that is reported (codec::FirstProblem), null when there is none.
const codec::ValueProblem* problem_of(const ConditionsInput& conditions);

}  // namespace dinette::dynamodb
