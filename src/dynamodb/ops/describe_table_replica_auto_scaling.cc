#include "dynamodb/api/describe_table_replica_auto_scaling.h"

#include "dynamodb/replicas/scaling_updates.h"

namespace dinette::dynamodb::ops {

Answer<api::DescribeTableReplicaAutoScalingOutput> describe_table_replica_auto_scaling(
    const Context& context, api::DescribeTableReplicaAutoScalingInput&& input) {
  DINETTE_TRY(const OpenTable table, open_global_table(context, input.table_name));
  DINETTE_TRY(auto description, describe_all_scaling(context, table));
  return api::DescribeTableReplicaAutoScalingOutput{std::move(description)};
}

}  // namespace dinette::dynamodb::ops
