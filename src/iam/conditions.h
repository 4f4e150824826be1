#pragma once

#include "dinette/iam/evaluate.h"
#include "dinette/iam/policy.h"

namespace dinette::iam {

/// Returns true if a request meets a condition (IAM User Guide, "IAM JSON policy elements: Condition
/// operators" and "Set operators for multivalued context keys"). `has_variables`: of the policy.
bool holds(const Condition& condition, const RequestContext& context, bool has_variables);

}  // namespace dinette::iam
