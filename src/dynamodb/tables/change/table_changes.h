#pragma once

#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/update_table.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// Returns a table's settings after an UpdateTable, without its index updates. Ceilings that the update takes
/// away are still there, at -1, as the answer shows them (docs/service/tables.md sections 3 and 4).
api::TableSettings changed_settings(const Context& context, api::TableSettings settings,
                                    const api::UpdateTableInput& input);

}  // namespace dinette::dynamodb
