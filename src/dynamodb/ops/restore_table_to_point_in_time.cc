#include "dynamodb/api/restore_table_to_point_in_time.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "dinette/aws/arn.h"
#include "dinette/aws/region.h"
#include "dinette/base/time_text.h"

#include "dynamodb/api/restore_summary.h"
#include "dynamodb/api/table_description.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/backups/restore.h"
#include "dynamodb/backups/restored_table.h"
#include "dynamodb/model/resource_arn.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/recovery.h"
#include "dynamodb/tables/table_state.h"

// docs/service/backups-pitr.md section 3.
namespace dinette::dynamodb::ops {
namespace {

using Input = api::RestoreTableToPointInTimeInput;

Answer<void> check_arn(const Context& context, const Input& input, bool encrypted) {
  const auto arn = aws::parse_arn(*input.source_table_arn);
  const auto table = arn ? model::parse_table_resource(arn->resource) : std::nullopt;
  const bool names_table = table && table->part.empty() && arn->service == "dynamodb" &&
                           arn->partition == aws::partition_of(arn->region);
  if (!names_table) return invalid_request("sourceTableArn is not a valid ARN");
  if (arn->account != context.account)
    return validation(
        "This action is only supported by accounts that match the resource owner\u2019s account.");
  if (arn->region == context.region || encrypted) return {};
  return invalid_request("sseSpecificationOverride must be provided for cross-region restores");
}

/// `encrypted`: the request says how the new table is to be encrypted.
Answer<void> check_source(const Context& context, const Input& input, bool encrypted) {
  if (input.source_table_arn && input.source_table_name)
    return validation("Must provide exactly one of: sourceTableArn, sourceTableName");
  if (!input.source_table_arn && !input.source_table_name)
    return validation("The parameter 'TableName' is required but was not present in the request");
  return input.source_table_arn ? check_arn(context, input, encrypted) : Answer<void>();
}

Answer<void> check_time_members(const Input& input) {
  const bool latest = input.use_latest_restorable_time.value_or(false);
  if (latest && input.restore_date_time) {
    return invalid_request(
        "Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore request. "
        "Please specify either RestoreDateTime time or UseLatestRestorableTime");
  }
  if (latest || input.restore_date_time) return {};
  return invalid_request(
      "Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both");
}

Answer<OpenTable> open_source(const Context& context, const Input& input) {
  if (input.source_table_name) return open_for_backup(context, *input.source_table_name);
  DINETTE_TRY(OpenTable table, find_table(context, *input.source_table_arn));
  if (table.table && !is_restoring(table.record(), context.now)) return table;
  return base::Failure{ApiError{api::ErrorCode::table_not_found_exception, "Table not found"}};
}

/// Returns `2026-10-08T23:16:33Z`, with a fraction of three or six digits if it is not 0.
std::string instant(base::TimePoint moment) {
  const std::string text = base::format_time(moment);  // with three
  const std::string seconds = text.substr(0, text.find('.'));
  const auto fraction = (moment - std::chrono::floor<std::chrono::seconds>(moment)).count();
  if (fraction == 0) return seconds + "Z";
  std::string digits = std::to_string(1'000'000 + fraction).substr(1);
  if (digits.ends_with("000")) digits.resize(3);
  return seconds + "." + digits + "Z";
}

base::Failure<ApiError> outside(const Context& context, const Input& input, const std::string& table,
                                const RecoveryWindow& window) {
  // The latest time is as fine as the clock, unless it is the time when recovery was enabled.
  const bool moving = window.latest + std::chrono::minutes(5) == context.now;
  const base::TimePoint latest = moving ? context.now - std::chrono::minutes(5) : window.latest.time();
  return base::Failure{ApiError{api::ErrorCode::invalid_restore_time_exception,
                                "RestoreDateTime '" + instant(input.restore_date_time->time()) +
                                    "' must be within EarliestRestorableDateTime '" +
                                    instant(window.earliest.time()) + "' and LatestRestorableDateTime '" +
                                    instant(latest) + "' for table '" + table + "'"}};
}

/// Where in its past the table is read.
struct Place {
  codec::Timestamp moment;
  std::optional<std::int64_t> table_version;
};

Answer<Place> find_place(const Context& context, const Input& input, const api::TableRecord& record) {
  if (!record.recovery) {
    return base::Failure{
        ApiError{api::ErrorCode::point_in_time_recovery_unavailable_exception,
                 "Point in time recovery is not enabled for table '" + record.table_name + "'"}};
  }
  const RecoveryWindow window =
      recovery_window(*record.recovery, context.now, context.settings.recovery_window);
  if (!input.restore_date_time) {
    // Right after recovery was enabled: without later writes, be they of the same moment.
    const bool as_enabled = window.latest <= record.recovery->enabled;
    return Place{window.latest, as_enabled ? std::optional(record.recovery->table_version) : std::nullopt};
  }
  const codec::Timestamp wanted = *input.restore_date_time;
  const bool within = wanted >= window.earliest && wanted <= context.now;
  return within ? Answer<Place>(Place{wanted, std::nullopt})
                : outside(context, input, record.table_name, window);
}

}  // namespace

Answer<api::RestoreTableToPointInTimeOutput> restore_table_to_point_in_time(const Context& context,
                                                                            Input&& input) {
  RestoreOverrides overrides = take_overrides(input);
  DINETTE_CHECK(check_source(context, input, overrides.encryption.has_value()));
  DINETTE_CHECK(check_time_members(input));
  DINETTE_CHECK(check_overrides(overrides));
  DINETTE_TRY(const OpenTable source, open_source(context, input));
  DINETTE_TRY([[maybe_unused]] const Place place, find_place(context, input, source.record()));
  DINETTE_CHECK(check_target(context, input.target_table_name));
  const auto decide = [&](const store::Table& current) -> Answer<NewRestore> {
    const auto& schema = current.schema_as<TableSchema>();
    DINETTE_TRY(const Place there, find_place(context, input, schema.record()));
    const TableState state = state_at(schema.record(), context.now);
    NewRestore made;
    DINETTE_TRY(made.table,
                restored_table(context, schema.record(), state.settings, input.target_table_name, overrides));
    made.table.restore = api::RestoreSummary{std::nullopt, schema.arn(), there.moment, true};
    made.moment = there.moment;
    made.table_version = there.table_version;
    return made;
  };
  DINETTE_TRY(api::TableDescription description,
              restore(context, *source.table, decide, input.target_table_name,
                      backup_table_not_found(source.table->name)));
  return api::RestoreTableToPointInTimeOutput{std::move(description)};
}

}  // namespace dinette::dynamodb::ops
