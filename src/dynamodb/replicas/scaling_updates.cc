#include "dynamodb/replicas/scaling_updates.h"

#include <algorithm>
#include <optional>
#include <string>

#include "dynamodb/api/enums.h"
#include "dynamodb/replicas/auto_scaling.h"
#include "dynamodb/replicas/members.h"
#include "dynamodb/replicas/replica_updates.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

base::Failure<ApiError> no_global_table(std::string_view name) {
  return base::Failure{ApiError{api::ErrorCode::resource_not_found_exception,
                                "Global table with name: '" + std::string(name) + "' does not exist."}};
}

/// Refuses an index that there is not, or that is being created.
Answer<void> check_index(const api::TableRecord& record, const api::TableSettings& settings,
                         std::string_view index) {
  const auto ready = [&](const api::GlobalIndexRecord& one) {
    return one.definition.index_name == index && one.status != api::IndexStatus::creating && !one.building;
  };
  if (std::ranges::any_of(settings.global_secondary_indexes, ready)) return {};
  return no_global_table(record.table_name);
}

Answer<void> check_updates(const api::TableRecord& record, const api::TableSettings& settings,
                           const api::UpdateTableReplicaAutoScalingInput& input) {
  if (input.provisioned_write_capacity_auto_scaling_update)
    DINETTE_CHECK(check_scaling(settings, *input.provisioned_write_capacity_auto_scaling_update));
  if (input.global_secondary_index_updates) {
    for (const auto& index : *input.global_secondary_index_updates) {
      DINETTE_CHECK(check_index(record, settings, index.index_name.value_or("")));
      if (index.provisioned_write_capacity_auto_scaling_update)
        DINETTE_CHECK(check_scaling(settings, *index.provisioned_write_capacity_auto_scaling_update));
    }
  }
  if (!input.replica_updates) return {};
  for (const auto& replica : *input.replica_updates) {
    if (replica.region_name != record.region && !find_member(record, replica.region_name))
      return no_global_table(record.table_name);
    if (replica.replica_provisioned_read_capacity_auto_scaling_update)
      DINETTE_CHECK(check_scaling(settings, *replica.replica_provisioned_read_capacity_auto_scaling_update));
    if (!replica.replica_global_secondary_index_updates) continue;
    for (const auto& index : *replica.replica_global_secondary_index_updates) {
      DINETTE_CHECK(check_index(record, settings, index.index_name.value_or("")));
      if (index.provisioned_read_capacity_auto_scaling_update)
        DINETTE_CHECK(check_scaling(settings, *index.provisioned_read_capacity_auto_scaling_update));
    }
  }
  return {};
}

/// Does in one region what concerns it: writes are scaled alike everywhere, reads in each region.
void update_region(api::TableRecord& record, const api::UpdateTableReplicaAutoScalingInput& input) {
  const std::string& table = record.table_name;
  if (input.provisioned_write_capacity_auto_scaling_update)
    update_scaling(record, {table, {}, true}, *input.provisioned_write_capacity_auto_scaling_update);
  if (input.global_secondary_index_updates) {
    for (const auto& index : *input.global_secondary_index_updates) {
      if (index.provisioned_write_capacity_auto_scaling_update)
        update_scaling(record, {table, *index.index_name, true},
                       *index.provisioned_write_capacity_auto_scaling_update);
    }
  }
  if (!input.replica_updates) return;
  for (const auto& replica : *input.replica_updates) {
    if (replica.region_name != record.region) continue;
    if (replica.replica_provisioned_read_capacity_auto_scaling_update)
      update_scaling(record, {table, {}, false},
                     *replica.replica_provisioned_read_capacity_auto_scaling_update);
    if (!replica.replica_global_secondary_index_updates) continue;
    for (const auto& index : *replica.replica_global_secondary_index_updates) {
      if (index.provisioned_read_capacity_auto_scaling_update)
        update_scaling(record, {table, *index.index_name, false},
                       *index.provisioned_read_capacity_auto_scaling_update);
    }
  }
}

}  // namespace

Answer<OpenTable> open_global_table(const Context& context, std::string_view name_or_arn) {
  DINETTE_CHECK(check_own_arn(context, name_or_arn));
  const std::string_view name = table_name_of(name_or_arn).value_or(name_or_arn);
  DINETTE_TRY(OpenTable table, find_table(context, name));
  if (!table.table || replicas_at(table.record(), context.now).empty()) return no_global_table(name);
  return table;
}

Answer<api::TableAutoScalingDescription> describe_all_scaling(const Context& context,
                                                              const OpenTable& table) {
  const api::TableRecord& record = table.record();
  const TableState state = state_at(record, context.now);
  api::TableAutoScalingDescription description;
  description.table_name = record.table_name;
  description.table_status = state.status;
  auto& replicas = description.replicas.emplace();
  replicas.push_back(describe_scaling(record, state.settings, api::ReplicaStatus::active));
  for (const api::ReplicaMember& member : replicas_at(record, context.now)) {
    const api::ReplicaStatus status = status_at(record, member, context.now);
    DINETTE_STORED(
        const store::TablePointer replica,
        is_shared(context.store) ? table.table : open_replica(context.world, member.region, record));
    if (!replica) continue;
    const api::TableRecord& there = replica->schema_as<TableSchema>().record();
    replicas.push_back(describe_scaling(there, state_at(there, context.now).settings, status));
    replicas.back().region_name = member.region;
  }
  return description;
}

Answer<void> update_all_scaling(const Context& context, const OpenTable& table,
                                const api::UpdateTableReplicaAutoScalingInput& input) {
  const api::TableRecord& record = table.record();
  if (is_group_changing(record, context.now)) return group_in_use();
  DINETTE_CHECK(check_updates(record, state_at(record, context.now).settings, input));
  const auto edit = [&](api::TableRecord& edited) {
    update_region(edited, input);
    return true;
  };
  DINETTE_STORED([[maybe_unused]] const store::TablePointer own,
                 edit_replica(context.world, context.store.name_space(), record, edit));
  if (is_shared(context.store)) return {};
  for (const api::ReplicaMember& member : record.replication->members) {
    DINETTE_STORED([[maybe_unused]] const store::TablePointer edited,
                   edit_replica(context.world, member.region, record, edit));
  }
  return {};
}

}  // namespace dinette::dynamodb
