#pragma once

#include <optional>

#include "dynamodb/codec/given_members.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/request/api_error.h"

/// Checks that every operation with items or expressions makes.
namespace dinette::dynamodb {

/// Refuses what the codec found wrong with a value, if it did.
Answer<void> check_problem(Envelope envelope, const codec::ValueProblem* problem);
Answer<void> check_problem(Envelope envelope, const std::optional<codec::ValueProblem>& problem);

/// Returns the problem that a value has, null for none.
inline const codec::ValueProblem* problem_of(const std::optional<codec::ValueProblem>& problem) {
  return problem ? &*problem : nullptr;
}

}  // namespace dinette::dynamodb
