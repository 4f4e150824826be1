#pragma once

#include <vector>

#include "dinette/admin/api.h"
#include "dinette/tenancy/faults.h"

#include "admin/answer.h"
#include "admin/body.h"

namespace dinette::admin {

/// Returns the rules in the member "rules" of a body. Fails if a rule is not well-formed, does nothing, or
/// has a name that `problem_of` does not know.
Result<std::vector<tenancy::FaultRule>> read_rules(const Body& body, const PrepareFault& prepare);

/// Returns the rule as a body has it.
Json describe(const tenancy::FaultRule& rule);

}  // namespace dinette::admin
