#pragma once

#include <optional>

#include "dynamodb/codec/given_members.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/expr/placeholders.h"
#include "dynamodb/request/api_error.h"

/// Checks that every operation with items or expressions makes.
namespace dinette::dynamodb {

/// Refuses what the codec found wrong with a value, if it did.
Answer<void> check_problem(Envelope envelope, const codec::ValueProblem* problem);
Answer<void> check_problem(Envelope envelope, const std::optional<codec::ValueProblem>& problem);

/// Refuses members that are not served yet: api::planned_members_of the input.
Answer<void> check_served(const codec::GivenMembers& planned);

/// Checks that every name and value was used by an expression.
Answer<void> check_all_used(Envelope envelope, const expr::Placeholders& placeholders);

}  // namespace dinette::dynamodb
