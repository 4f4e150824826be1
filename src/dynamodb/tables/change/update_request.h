#pragma once

#include "dynamodb/api/global_secondary_index_update.h"
#include "dynamodb/api/update_table.h"
#include "dynamodb/request/api_error.h"

/// What an UpdateTable asks for (docs/service/tables.md section 4).
namespace dinette::dynamodb {

/// Checks what does not depend on the table: that there are changes, and that they can be
/// combined.
Answer<void> check_update_request(const api::UpdateTableInput& input);

/// Returns true for a change of billing mode or throughput, which the service calls "table IOPS".
bool changes_throughput(const api::UpdateTableInput& input);

bool updates_indexes(const api::UpdateTableInput& input);
bool creates_or_deletes(const api::GlobalSecondaryIndexUpdate& update);
bool creates_or_deletes_indexes(const api::UpdateTableInput& input);

/// Returns the name of the updated index; each update is for one index.
const std::string& index_name(const api::GlobalSecondaryIndexUpdate& update);

/// The change takes its time, or even makes the table UPDATING meanwhile. Only deletion protection takes
/// effect at once.
bool takes_time(const api::UpdateTableInput& input);
bool makes_table_updating(const api::UpdateTableInput& input);

}  // namespace dinette::dynamodb
