#include "dynamodb/writes/strong_replicas.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "dinette/dynamodb/service.h"

#include "dynamodb/api/replica_member.h"
#include "dynamodb/writes/actions/replicate_action.h"

namespace dinette::dynamodb {
namespace {

/// Of three regions, one of which may be a witness.
constexpr std::ptrdiff_t most_unreachable = 1;

bool is_cut_off(tenancy::World& world, const std::string& here, const api::ReplicaMember& member) {
  return world.links().is_cut(here, member.region) || world.links().is_cut(member.region, here);
}

}  // namespace

Answer<StrongReplicas> StrongReplicas::open(tenancy::World& world, const store::Table& table) {
  StrongReplicas replicas;
  const auto& schema = table.schema_as<TableSchema>();
  if (!schema.replication() || !schema.replication()->strong) return replicas;
  const api::TableRecord& record = schema.record();
  const auto& members = record.replication->members;
  const auto unreachable = std::ranges::count_if(
      members, [&](const api::ReplicaMember& member) { return is_cut_off(world, record.region, member); });
  if (unreachable > most_unreachable)
    return base::Failure{ApiError{api::ErrorCode::internal_server_error, "Internal server error"}};
  for (const api::ReplicaMember& member : members) {
    if (member.witness) continue;
    std::shared_ptr<store::Store> store = world.store(face().id, member.region);
    DINETTE_STORED(const store::TablePointer other, store->catalog().open(table.name));
    if (!other) continue;
    const auto& replication = other->schema_as<TableSchema>().record().replication;
    if (!replication || replication->group_id != record.replication->group_id) continue;
    replicas.tables_.push_back(other);
    replicas.stores_.push_back(std::move(store));
  }
  return replicas;
}

Answer<void> StrongReplicas::check_conflicts(const RequestClaims& claims, std::string_view key) const {
  for (std::size_t i = 0; i < tables_.size(); ++i)
    DINETTE_CHECK(claims.check_elsewhere(*stores_[i], {tables_[i]->id, key}));
  return {};
}

void StrongReplicas::add_targets(std::string_view key, std::vector<store::WriteTarget>& targets) const {
  for (const store::TablePointer& table : tables_) targets.push_back(store::WriteTarget::row(*table, key));
}

Answer<void> StrongReplicas::repeat(const WrittenItem& written, std::string_view key, WriteOrigin origin,
                                    const store::Rows& rows, store::RowChanges changes,
                                    std::size_t first) const {
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const auto& schema = tables_[i]->schema_as<TableSchema>();
    ReplicateAction action(schema, key, written.record);
    WrittenItem there;
    DINETTE_CHECK(decide_item(rows[first + i], nullptr, attributes_needed(action, schema), schema, action,
                              origin, there));
    changes[first + i] = std::move(there.plan.change);
  }
  return {};
}

}  // namespace dinette::dynamodb
