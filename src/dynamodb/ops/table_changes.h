#pragma once

#include "dynamodb/api/types.h"
#include "dynamodb/ops/context.h"

namespace dinette::dynamodb::ops {

/// Returns a table's settings after an UpdateTable, without its index updates. Ceilings that the update takes
/// away are still there, at -1, as the answer shows them (facts: tables.md sections 3 and 4).
api::TableSettings changed_settings(const Context& context, api::TableSettings settings,
                                    const api::UpdateTableInput& input);

}  // namespace dinette::dynamodb::ops
