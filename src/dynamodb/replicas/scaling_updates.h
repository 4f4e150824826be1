#pragma once

#include <vector>

#include "dynamodb/api/replica_auto_scaling_description.h"
#include "dynamodb/api/table_auto_scaling_description.h"
#include "dynamodb/api/update_table_replica_auto_scaling.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"

namespace dinette::dynamodb {

/// Opens a table with replicas, or ResourceNotFoundException in the words of the operations on auto scaling
/// (docs/service/global-tables.md section 3).
Answer<OpenTable> open_global_table(const Context& context, std::string_view name_or_arn);

/// Describes the scaling of all replicas, that of the caller's region first.
Answer<api::TableAutoScalingDescription> describe_all_scaling(const Context& context, const OpenTable& table);

/// Carries out an update in all regions that it concerns.
Answer<void> update_all_scaling(const Context& context, const OpenTable& table,
                                const api::UpdateTableReplicaAutoScalingInput& input);

}  // namespace dinette::dynamodb
