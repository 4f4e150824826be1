#include "dynamodb/api/update_table_replica_auto_scaling.h"

#include "dynamodb/replicas/scaling_updates.h"

namespace dinette::dynamodb::ops {

Answer<api::UpdateTableReplicaAutoScalingOutput> update_table_replica_auto_scaling(
    const Context& context, api::UpdateTableReplicaAutoScalingInput&& input) {
  DINETTE_TRY(const OpenTable table, open_global_table(context, input.table_name));
  // The answer shows what was before (docs/service/global-tables.md section 3).
  DINETTE_TRY(auto description, describe_all_scaling(context, table));
  DINETTE_CHECK(update_all_scaling(context, table, input));
  return api::UpdateTableReplicaAutoScalingOutput{std::move(description)};
}

}  // namespace dinette::dynamodb::ops
