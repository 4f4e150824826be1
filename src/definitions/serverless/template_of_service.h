#pragma once

#include <cstddef>

#include "variables.h"

namespace dinette::definitions::serverless {

inline constexpr std::size_t most_resources = 2000;  // a stack may have 500

/// Returns the template of CloudFormation that the `resources` of a service are: all of them merged, with
/// `extensions` applied and variables resolved. A table with a variable that has no value is an error, and
/// not in it.
Node template_of(const Node& service, Variables& variables, Definitions& to);

}  // namespace dinette::definitions::serverless
