#pragma once

#include <optional>
#include <string>

#include "dynamodb/codec/given_members.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/expr/placeholders.h"
#include "dynamodb/request/api_error.h"

namespace dinette::dynamodb {

using ExpressionNames = std::optional<codec::Entries<std::string>>;
using ExpressionValues = std::optional<codec::ValuesInput>;

/// Refuses members of both families (docs/service/legacy-api.md section 1, expressions.md section 2), names
/// or values without an expression, and empty or ill-keyed maps: the first of these that applies. `given` is
/// api::families_of the input. If the request is read in its older form, the error names the expression that
/// it lacks: `first`, the one that the operation would take first.
Answer<void> check_families(const codec::FamilyMembers& given, Envelope envelope,
                            const ExpressionNames& names, const ExpressionValues& values,
                            model::Generation reading = model::Generation::current,
                            expr::Kind first = expr::Kind::condition);

/// The first problem of a value, null when there is none.
const codec::ValueProblem* problem_of(const ExpressionValues& values);

/// The placeholders of a request that has passed check_families(); refers to the two maps.
expr::Placeholders placeholders_of(const ExpressionNames& names, const ExpressionValues& values);

}  // namespace dinette::dynamodb
