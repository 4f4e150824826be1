#pragma once

#include <vector>

#include "dinette/lambda/triggers.h"

#include "admin/answer.h"
#include "admin/body.h"

namespace dinette::admin {

/// Returns the triggers in the member "triggers" of a body, each with a name. Fails if one of them is not
/// well-formed, or names its stream or function twice or not at all.
Result<std::vector<lambda::Trigger>> read_trigger_list(const Body& body);

/// Returns the trigger as a body has it.
Json describe(const lambda::Trigger& trigger);

}  // namespace dinette::admin
