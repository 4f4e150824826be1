#include "dynamodb/api/update_continuous_backups.h"

#include <cstdint>
#include <optional>

#include "dynamodb/api/continuous_backups_description.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/point_in_time_recovery_specification.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/backups/version_upkeep.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/recovery.h"
#include "dynamodb/tables/table_state.h"

// docs/service/backups-pitr.md section 2.
namespace dinette::dynamodb::ops {
namespace {

using Specification = api::PointInTimeRecoverySpecification;

Answer<void> check_ready(const api::TableRecord& record, codec::Timestamp moment) {
  if (state_at(record, moment).status != api::TableStatus::creating) return {};
  return backups_not_ready(record);
}

api::TableRecovery enabled(const Context& context, const store::Table& table, const Specification& wanted) {
  const codec::Timestamp moment = context.now;
  if (const auto& current = table.schema_as<TableSchema>().record().recovery) {
    const auto& days = wanted.recovery_period_in_days;
    return days ? with_period(*current, *days, moment, context.settings.recovery_window) : *current;
  }
  return {moment, moment, wanted.recovery_period_in_days.value_or(model::limits::recovery_days),
          static_cast<std::int64_t>(table.version + 1)};
}

store::TableUpdate changed(const Context& context, const store::Table& table, const Specification& wanted) {
  api::TableRecord record = table.schema_as<TableSchema>().record();
  if (wanted.point_in_time_recovery_enabled)
    record.recovery = enabled(context, table, wanted);
  else
    record.recovery.reset();
  store::TableUpdate update(encode_record(record));
  update.drops_versions = !record.recovery && !has_readers(record);
  return update;
}

}  // namespace

Answer<api::UpdateContinuousBackupsOutput> update_continuous_backups(
    const Context& context, api::UpdateContinuousBackupsInput&& input) {
  const Specification& wanted = input.point_in_time_recovery_specification;
  if (!wanted.point_in_time_recovery_enabled && wanted.recovery_period_in_days) {
    return validation(
        "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.");
  }
  DINETTE_TRY(const OpenTable table, open_for_backup(context, input.table_name));
  Answer<void> checked;
  const auto update = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    checked = check_ready(current.schema_as<TableSchema>().record(), context.now);
    return checked ? std::optional(changed(context, current, wanted)) : std::nullopt;
  };
  DINETTE_STORED(const store::TablePointer updated, context.store.catalog().update(*table.table, update));
  if (!updated) return backup_table_not_found(table.table->name);
  DINETTE_CHECK(std::move(checked));
  trim_versions_later(context.store, context.jobs, *updated, context.settings.recovery_window);
  const auto& record = updated->schema_as<TableSchema>().record();
  return api::UpdateContinuousBackupsOutput{
      describe_recovery(record, context.now, context.settings.recovery_window)};
}

}  // namespace dinette::dynamodb::ops
