#include "dynamodb/replicas/members.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dinette/dynamodb/service.h"

#include "dynamodb/tables/table_schema.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

using api::ReplicaMember;
using api::ReplicaStatus;

/// Returns true while the clock alone keeps a member in its transition.
bool is_passing(const ReplicaMember& member, codec::Timestamp now) {
  return is_during(now, member.begun, member.until);
}

bool is_of_group(const store::Table& table, const api::TableRecord& of_group) {
  const auto& replication = table.schema_as<TableSchema>().record().replication;
  return replication && of_group.replication && replication->group_id == of_group.replication->group_id;
}

}  // namespace

std::shared_ptr<store::Store> store_of(tenancy::World& world, std::string_view region) {
  return world.store(face().id, region);
}

bool is_shared(const store::Store& store) {
  return store.name_space().empty();
}

const ReplicaMember* find_member(const api::TableRecord& record, std::string_view region) {
  if (!record.replication) return nullptr;
  const auto& members = record.replication->members;
  const auto found = std::ranges::find(members, region, &ReplicaMember::region);
  return found == members.end() ? nullptr : &*found;
}

ReplicaMember* find_member(api::TableRecord& record, std::string_view region) {
  return const_cast<ReplicaMember*>(find_member(std::as_const(record), region));
}

ReplicaStatus status_at(const api::TableRecord& record, const ReplicaMember& member, codec::Timestamp now) {
  const bool by_clock = member.status == ReplicaStatus::updating ||
                        (member.status == ReplicaStatus::creating && !record.replication->log_id);
  return by_clock && !is_passing(member, now) ? ReplicaStatus::active : member.status;
}

bool is_gone(const api::TableRecord& record, const ReplicaMember& member, codec::Timestamp now) {
  return member.status == ReplicaStatus::deleting && !record.replication->log_id && !is_passing(member, now);
}

bool is_group_changing(const api::TableRecord& record, codec::Timestamp now) {
  if (!record.replication) return false;
  if (record.replication->filling || record.replication->leaving) return true;
  return std::ranges::any_of(record.replication->members, [&](const ReplicaMember& member) {
    return !is_gone(record, member, now) && status_at(record, member, now) != ReplicaStatus::active;
  });
}

std::vector<ReplicaMember> replicas_at(const api::TableRecord& record, codec::Timestamp now) {
  std::vector<ReplicaMember> replicas;
  if (!record.replication) return replicas;
  for (const ReplicaMember& member : record.replication->members) {
    if (!member.witness && !is_gone(record, member, now)) replicas.push_back(member);
  }
  return replicas;
}

bool forget_gone_members(api::TableRecord& record, codec::Timestamp now) {
  if (!record.replication) return false;
  auto& members = record.replication->members;
  std::erase_if(members, [&](const ReplicaMember& member) { return is_gone(record, member, now); });
  if (!members.empty()) return false;
  record.replication.reset();
  record.auto_scaling.reset();
  return true;
}

api::TableRecord without_gone_members(api::TableRecord record, codec::Timestamp now) {
  forget_gone_members(record, now);
  return record;
}

kv::Result<store::TablePointer> open_replica(tenancy::World& world, std::string_view region,
                                             const api::TableRecord& of_group) {
  DINETTE_TRY(store::TablePointer table, store_of(world, region)->catalog().open(of_group.table_name));
  if (table && !is_of_group(*table, of_group)) table.reset();
  return table;
}

kv::Result<store::TablePointer> edit_replica(tenancy::World& world, std::string_view region,
                                             const api::TableRecord& of_group, EditReplica edit) {
  DINETTE_TRY(const store::TablePointer table, open_replica(world, region, of_group));
  if (!table) return store::TablePointer();
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    if (!is_of_group(current, of_group)) return std::nullopt;
    api::TableRecord record = current.schema_as<TableSchema>().record();
    if (!edit(record)) return std::nullopt;
    store::TableUpdate update(encode_record(record));
    update.drops_marks = !record.replication;
    return update;
  };
  return store_of(world, region)->catalog().update(*table, decide);
}

}  // namespace dinette::dynamodb
