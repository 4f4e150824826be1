#pragma once

#include <functional>

#include "dynamodb/api/table_record.h"
#include "dynamodb/api/update_table.h"
#include "dynamodb/request/context.h"

/// Settings that all replicas of a global table share (docs/service/global-tables.md section 1).
namespace dinette::dynamodb {

/// Carries out in the other regions the part of an UpdateTable that concerns them, which has succeeded here.
/// `update` is that operation, for one region. A failure is logged.
void update_other_replicas(
    const Context& context, const api::TableRecord& record, const api::UpdateTableInput& input,
    const std::function<Answer<void>(const Context&, api::UpdateTableInput&&)>& update);

/// Calls `edit` with the context of each other region that has a replica of the table.
void for_each_other_replica(const Context& context, const api::TableRecord& record,
                            const std::function<Answer<void>(const Context& other)>& edit);

}  // namespace dinette::dynamodb
