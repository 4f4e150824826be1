#include "dynamodb/replicas/describe_replicas.h"

#include <optional>
#include <string>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_table_witness_description.h"
#include "dynamodb/api/replica_description.h"
#include "dynamodb/replicas/members.h"

namespace dinette::dynamodb {
namespace {

using api::ReplicaMember;
using api::ReplicaStatus;

api::WitnessStatus status_of_witness(ReplicaStatus status) {
  switch (status) {
    case ReplicaStatus::creating:
      return api::WitnessStatus::creating;
    case ReplicaStatus::deleting:
      return api::WitnessStatus::deleting;
    default:
      return api::WitnessStatus::active;
  }
}

void describe_overrides(const ReplicaMember& member, api::ReplicaDescription& described) {
  if (member.read_units)
    described.provisioned_throughput_override.emplace().read_capacity_units = member.read_units;
  if (member.max_read_units)
    described.on_demand_throughput_override.emplace().max_read_request_units = member.max_read_units;
  if (member.table_class) described.replica_table_class_summary.emplace().table_class = member.table_class;
  described.kms_master_key_id = member.kms_master_key_arn;
  if (member.indexes.empty()) return;
  auto& indexes = described.global_secondary_indexes.emplace();
  for (const api::ReplicaGlobalSecondaryIndex& index : member.indexes) {
    auto& one = indexes.emplace_back();
    one.index_name = index.index_name;
    one.provisioned_throughput_override = index.provisioned_throughput_override;
    one.on_demand_throughput_override = index.on_demand_throughput_override;
  }
}

/// Returns true for a replica that is being made. Where all regions see the same tables that may take no
/// time.
bool is_new(const ReplicaMember& member, ReplicaStatus status, codec::Timestamp now) {
  return status == ReplicaStatus::creating ||
         (member.status == ReplicaStatus::creating && member.begun == now);
}

/// Returns the replica of the table itself, as a region sees it that is not its own. Only where all regions
/// see the same tables.
ReplicaMember own_member(const api::TableRecord& record) {
  ReplicaMember member;
  member.region = record.region;
  member.status = ReplicaStatus::active;
  return member;
}

}  // namespace

void describe_replicas(const api::TableRecord& record, std::string_view region, codec::Timestamp now,
                       ReplicaChanges changes, api::TableDescription& description) {
  std::vector<ReplicaMember> replicas = replicas_at(record, now);
  if (replicas.empty()) return;
  if (region != record.region && !record.replication->log_id)
    replicas.insert(replicas.begin(), own_member(record));
  description.global_table_version = "2019.11.21";
  description.global_table_settings_replication_mode =
      api::GlobalTableSettingsReplicationMode::enabled_with_overrides;
  if (record.replication->strong)
    description.multi_region_consistency = api::MultiRegionConsistency::strong;
  else
    description.disassociation_protection_enabled = record.replication->disassociation_protection_enabled;
  auto& list = description.replicas.emplace();
  for (const ReplicaMember& member : replicas) {
    const ReplicaStatus status = status_at(record, member, now);
    if (member.region == region || (changes == ReplicaChanges::hidden && is_new(member, status, now)))
      continue;
    api::ReplicaDescription& described = list.emplace_back();
    described.region_name = member.region;
    described.replica_status = status;
    described.warm_throughput = description.warm_throughput;
    if (described.warm_throughput) described.warm_throughput->status = api::TableStatus::active;
    described.global_table_settings_replication_mode =
        api::GlobalTableSettingsReplicationMode::enabled_with_overrides;
    if (changes == ReplicaChanges::shown) describe_overrides(member, described);
  }
  for (const ReplicaMember& member : record.replication->members) {
    if (!member.witness || is_gone(record, member, now)) continue;
    if (!description.global_table_witnesses) description.global_table_witnesses.emplace();
    auto& described = description.global_table_witnesses->emplace_back();
    described.region_name = member.region;
    described.witness_status = status_of_witness(status_at(record, member, now));
  }
}

}  // namespace dinette::dynamodb
