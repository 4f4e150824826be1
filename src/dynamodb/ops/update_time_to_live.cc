#include "dynamodb/api/update_time_to_live.h"

#include <optional>

#include "dynamodb/api/enums.h"
#include "dynamodb/replicas/group_settings.h"
#include "dynamodb/replicas/members.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tables/time_to_live.h"
#include "dynamodb/writes/expiration.h"

// docs/service/ttl-tags.md section 1.
namespace dinette::dynamodb::ops {
namespace {

/// For this operation a table that is being created or deleted does not exist, but one that is being imported
/// does (docs/service/export-import.md section 2).
Answer<void> check_state(const Context& context, const store::Table& table) {
  const api::TableRecord& record = table.schema_as<TableSchema>().record();
  const auto status = state_at(record, context.now).status;
  if (record.import_key) return still_in_use(record, status);
  if (status == api::TableStatus::creating || status == api::TableStatus::deleting)
    return table_not_found(table.name);
  return {};
}

/// docs/service/global-tables.md section 1, the table of problems. `record` has no members that are gone.
Answer<void> check_group(const Context& context, const api::TableRecord& record) {
  if (!record.replication) return {};
  if (record.replication->strong)
    return validation("Time to live is not supported with MultiRegionConsistency set to STRONG.");
  for (const api::ReplicaMember& member : record.replication->members) {
    if (status_at(record, member, context.now) == api::ReplicaStatus::active) continue;
    return validation(
        "Create/Update/Delete of replica is not allowed while the replica is being added to table with "
        "name: ‘" +
        record.table_name + "’ in region: ‘" + member.region + "’.");
  }
  return {};
}

/// Changes the time to live in one region.
Answer<void> update_regional_ttl(const Context& context, const OpenTable& table,
                                 const api::TimeToLiveSpecification& wanted) {
  Answer<void> checked;
  const auto update = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    const api::TableRecord record =
        without_gone_members(current.schema_as<TableSchema>().record(), context.now);
    checked = check_state(context, current);
    if (checked) checked = check_group(context, record);
    if (checked) checked = check_time_to_live(record, wanted);
    return checked ? std::optional(with_time_to_live(record, wanted)) : std::nullopt;
  };
  DINETTE_STORED(const store::TablePointer updated, context.store.catalog().update(*table.table, update));
  if (!updated) return table_not_found(table.table->name);
  DINETTE_CHECK(std::move(checked));
  expire_items(context.store, context.jobs, *updated, context.settings.time_to_live_delay);
  return {};
}

}  // namespace

Answer<api::UpdateTimeToLiveOutput> update_time_to_live(const Context& context,
                                                        api::UpdateTimeToLiveInput&& input) {
  DINETTE_TRY(const OpenTable table, open_restored(context, input.table_name));
  const api::TimeToLiveSpecification& wanted = input.time_to_live_specification;
  DINETTE_CHECK(update_regional_ttl(context, table, wanted));
  for_each_other_replica(context, table.record(), [&](const Context& other) -> Answer<void> {
    DINETTE_TRY(const OpenTable replica, open_restored(other, table.record().table_name));
    return update_regional_ttl(other, replica, wanted);
  });
  return api::UpdateTimeToLiveOutput{wanted};
}

}  // namespace dinette::dynamodb::ops
