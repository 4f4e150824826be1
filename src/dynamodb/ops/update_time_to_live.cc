#include "dynamodb/api/update_time_to_live.h"

#include <optional>

#include "dynamodb/api/enums.h"
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

}  // namespace

Answer<api::UpdateTimeToLiveOutput> update_time_to_live(const Context& context,
                                                        api::UpdateTimeToLiveInput&& input) {
  DINETTE_TRY(const OpenTable table, open_restored(context, input.table_name));
  const api::TimeToLiveSpecification& wanted = input.time_to_live_specification;
  Answer<void> checked;
  const auto update = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    const api::TableRecord& record = current.schema_as<TableSchema>().record();
    checked = check_state(context, current);
    if (checked) checked = check_time_to_live(record, wanted);
    return checked ? std::optional(with_time_to_live(record, wanted)) : std::nullopt;
  };
  DINETTE_STORED(const store::TablePointer updated, context.store.catalog().update(*table.table, update));
  if (!updated) return table_not_found(table.table->name);
  DINETTE_CHECK(std::move(checked));
  expire_items(context.store, context.jobs, *updated, context.settings.time_to_live_delay);
  return api::UpdateTimeToLiveOutput{wanted};
}

}  // namespace dinette::dynamodb::ops
