#include "keyspaces/definitions/descriptions.h"

#include <utility>

namespace dinette::keyspaces {
namespace {

using cql::DefinitionStatus;
using ColumnKind = cql::ColumnDescription::Kind;

api::ReplicationStrategy strategy_of(const cql::KeyspaceDescription& keyspace) {
  return keyspace.multi_region ? api::ReplicationStrategy::multi_region
                               : api::ReplicationStrategy::single_region;
}

api::KeyspaceStatus status_of_keyspace(DefinitionStatus status) {
  switch (status) {
    case DefinitionStatus::creating:
      return api::KeyspaceStatus::creating;
    case DefinitionStatus::updating:
      return api::KeyspaceStatus::updating;
    case DefinitionStatus::deleting:
      return api::KeyspaceStatus::deleting;
    default:
      return api::KeyspaceStatus::active;
  }
}

api::TableStatus status_of_table(DefinitionStatus status) {
  switch (status) {
    case DefinitionStatus::creating:
      return api::TableStatus::creating;
    case DefinitionStatus::updating:
      return api::TableStatus::updating;
    case DefinitionStatus::deleting:
      return api::TableStatus::deleting;
    case DefinitionStatus::restoring:
      return api::TableStatus::restoring;
    case DefinitionStatus::active:
      break;
  }
  return api::TableStatus::active;
}

api::SchemaDefinition schema_of(const cql::TableDescription& table) {
  api::SchemaDefinition schema;
  schema.clustering_keys.emplace();
  schema.static_columns.emplace();
  for (const cql::ColumnDescription& column : table.columns) {
    schema.all_columns.push_back({column.name, column.type});
    if (column.kind == ColumnKind::partition_key) schema.partition_keys.push_back({column.name});
    if (column.kind == ColumnKind::static_) schema.static_columns->push_back({column.name});
    if (column.kind != ColumnKind::clustering) continue;
    schema.clustering_keys->push_back(
        {column.name, column.descending ? api::SortOrder::desc : api::SortOrder::asc});
  }
  return schema;
}

api::CapacitySpecificationSummary capacity_of(const cql::TableDescription& table) {
  api::CapacitySpecificationSummary capacity;
  if (table.provisioned) {
    capacity.throughput_mode = api::ThroughputMode::provisioned;
    capacity.read_capacity_units = table.read_units;
    capacity.write_capacity_units = table.write_units;
  } else {
    capacity.throughput_mode = api::ThroughputMode::pay_per_request;
    capacity.last_update_to_pay_per_request_timestamp = aws::Timestamp(table.on_demand_since);
  }
  return capacity;
}

api::EncryptionSpecification encryption_of(const cql::TableDescription& table) {
  api::EncryptionSpecification encryption;
  encryption.type = api::EncryptionType::aws_owned_kms_key;
  if (table.kms_key.empty()) return encryption;
  encryption.type = api::EncryptionType::customer_managed_kms_key;
  encryption.kms_key_identifier = table.kms_key;
  return encryption;
}

api::PointInTimeRecoverySummary recovery_of(const cql::TableDescription& table) {
  api::PointInTimeRecoverySummary recovery;
  recovery.status = api::PointInTimeRecoveryStatus::disabled;
  if (!table.point_in_time_recovery) return recovery;
  recovery.status = api::PointInTimeRecoveryStatus::enabled;
  recovery.earliest_restorable_timestamp = aws::Timestamp(table.earliest_restorable);
  return recovery;
}

api::WarmThroughputSpecificationSummary warm_throughput_of(const cql::TableDescription& table) {
  return {table.warm_read_units, table.warm_write_units, api::WarmThroughputStatus::available};
}

/// Of a table in one region there are none.
std::vector<api::ReplicaSpecificationSummary> replicas_of(const cql::TableDescription& table) {
  std::vector<api::ReplicaSpecificationSummary> replicas;
  if (table.regions.size() < 2) return replicas;
  for (const std::string& region : table.regions) {
    api::ReplicaSpecificationSummary& replica = replicas.emplace_back();
    replica.region = region;
    replica.status = status_of_table(table.status);
    replica.capacity_specification = capacity_of(table);
    const auto own = table.replica_read_units.find(region);
    if (own != table.replica_read_units.end())
      replica.capacity_specification->read_capacity_units = own->second;
    replica.warm_throughput_specification = warm_throughput_of(table);
  }
  return replicas;
}

void add_streams(const cql::TableDescription& table, api::GetTableOutput& output) {
  if (!table.latest_stream_arn.empty()) output.latest_stream_arn = table.latest_stream_arn;
  if (!table.captures_changes) return;
  output.cdc_specification.emplace();
  output.cdc_specification->status = api::CdcStatus::enabled;
  output.cdc_specification->view_type.emplace();
  api::from_string(table.view_type, *output.cdc_specification->view_type);
}

std::optional<api::AutoScalingSettings> settings_of(
    const std::optional<cql::AutoScalingDescription>& scaling) {
  if (!scaling) return std::nullopt;
  api::AutoScalingSettings settings;
  settings.auto_scaling_disabled = scaling->disabled;
  settings.minimum_units = scaling->minimum_units;
  settings.maximum_units = scaling->maximum_units;
  if (!scaling->target_value) return settings;
  api::TargetTrackingScalingPolicyConfiguration tracking;
  tracking.target_value = *scaling->target_value;
  tracking.disable_scale_in = scaling->disable_scale_in;
  tracking.scale_in_cooldown = scaling->scale_in_cooldown;
  tracking.scale_out_cooldown = scaling->scale_out_cooldown;
  settings.scaling_policy.emplace().target_tracking_scaling_policy_configuration = tracking;
  return settings;
}

}  // namespace

api::KeyspaceSummary summary_of(const cql::KeyspaceDescription& keyspace) {
  return {keyspace.name, keyspace.arn, strategy_of(keyspace), keyspace.regions};
}

api::GetKeyspaceOutput description_of(const cql::KeyspaceDescription& keyspace) {
  api::GetKeyspaceOutput output;
  output.keyspace_name = keyspace.name;
  output.resource_arn = keyspace.arn;
  output.replication_strategy = strategy_of(keyspace);
  output.replication_regions = keyspace.regions;
  if (!keyspace.multi_region) return output;
  output.replication_group_statuses.emplace();
  for (const std::string& region : keyspace.regions) {
    api::ReplicationGroupStatus& status = output.replication_group_statuses->emplace_back();
    status.region = region;
    status.keyspace_status = status_of_keyspace(keyspace.status);
  }
  return output;
}

api::GetTableOutput description_of(const cql::TableDescription& table) {
  api::GetTableOutput output;
  output.keyspace_name = table.keyspace;
  output.table_name = table.name;
  output.resource_arn = table.arn;
  output.creation_timestamp = aws::Timestamp(table.created);
  output.status = status_of_table(table.status);
  output.schema_definition = schema_of(table);
  output.capacity_specification = capacity_of(table);
  output.encryption_specification = encryption_of(table);
  output.point_in_time_recovery = recovery_of(table);
  if (table.time_to_live) output.ttl = api::TimeToLive{api::TimeToLiveStatus::enabled};
  output.default_time_to_live = table.default_time_to_live;
  output.comment = api::Comment{table.comment};
  if (table.client_side_timestamps)
    output.client_side_timestamps = api::ClientSideTimestamps{api::ClientSideTimestampsStatus::enabled};
  output.replica_specifications = replicas_of(table);
  add_streams(table, output);
  output.warm_throughput_specification = warm_throughput_of(table);
  return output;
}

std::optional<api::AutoScalingSpecification> scaling_of(const cql::TableDescription& table) {
  if (!table.read_scaling && !table.write_scaling) return std::nullopt;
  api::AutoScalingSpecification scaling;
  scaling.write_capacity_auto_scaling = settings_of(table.write_scaling);
  scaling.read_capacity_auto_scaling = settings_of(table.read_scaling);
  return scaling;
}

}  // namespace dinette::keyspaces
