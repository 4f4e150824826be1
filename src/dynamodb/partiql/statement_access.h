#pragma once

#include <string_view>

#include "dynamodb/partiql/bound.h"

namespace dinette::dynamodb::partiql {

/// Refuses a statement that the caller may not run, with AccessDeniedException. `enclosing` is the operation
/// around it, which conditions may name; empty for ExecuteStatement
/// (docs/service/insights-policies-account.md section 5).
Answer<void> check_access(const Context& context, const Bound& bound, std::string_view enclosing);

}  // namespace dinette::dynamodb::partiql
