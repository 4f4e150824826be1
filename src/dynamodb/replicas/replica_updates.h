#pragma once

#include <string_view>

#include "dinette/dynamodb/service.h"

#include "dynamodb/api/table_record.h"
#include "dynamodb/replicas/replica_request.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"

/// What changes the replicas of a table (docs/service/global-tables.md section 1).
namespace dinette::dynamodb {

/// Returns what background work needs of the settings of a request.
Upkeep upkeep_of(const Settings& settings);

/// Carries out an UpdateTable of replicas, as far as the answer shows it; the rest goes on in a lane
/// (replica_work.h). Returns the table as it is then.
Answer<store::TablePointer> update_replicas(const Context& context, const OpenTable& table,
                                            const ReplicaRequest& request);

/// Has the others remove the replica of the caller's region: that is how DeleteTable deletes it. Returns
/// false, and does nothing, for a table without replicas that the server would have to ask.
Answer<bool> leave_group(const Context& context, const OpenTable& table);

/// Sets whether the replica may be disassociated.
Answer<void> protect_from_disassociation(const Context& context, const OpenTable& table, bool enabled);

/// Returns the error for any change of a table while a replica is made or removed.
base::Failure<ApiError> group_in_use();

}  // namespace dinette::dynamodb
