#include "dynamodb/api/export_table_to_point_in_time.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "dinette/dynamodb/item_files/export_writer.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/exports/export_arn.h"
#include "dynamodb/exports/export_job.h"
#include "dynamodb/exports/export_listing.h"
#include "dynamodb/exports/export_request.h"
#include "dynamodb/tables/export_entry.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_state.h"

// docs/service/export-import.md section 1.
namespace dinette::dynamodb::ops {
namespace {

/// What there is of other exports.
struct Others {
  std::optional<api::ExportEntry> of_token;  ///< that this token has begun within the last 8 hours
  std::size_t running = 0;
};

kv::Result<Others> look_at_others(const Context& context, const std::optional<std::string>& token) {
  constexpr std::chrono::milliseconds token_lifetime = std::chrono::hours(8);
  const std::int64_t since = now(context).milliseconds - token_lifetime.count();
  Others others;
  DINETTE_CHECK(for_each_export(context.store, {}, [&](const api::ExportEntry& entry) {
    if (is_running(entry)) ++others.running;
    const bool recent = entry.description.start_time->milliseconds > since;
    if (token && recent && entry.account == context.account && entry.description.client_token == token)
      others.of_token = entry;
    return true;
  }));
  return others;
}

base::Failure<ApiError> conflict() {
  return base::Failure{ApiError{api::ErrorCode::export_conflict_exception,
                                "Export conflict: Duplicate request detected with conflicting parameters"}};
}

/// Returns the export that the same request has begun, if it has.
Answer<std::optional<api::ExportEntry>> check_others(const Others& others, const std::string& digest) {
  if (others.of_token && others.of_token->request_digest != digest) return conflict();
  if (!others.of_token && others.running >= model::limits::exports) {
    return base::Failure{
        ApiError{api::ErrorCode::limit_exceeded_exception, "Subscriber limit exceeded: Only " +
                                                               std::to_string(model::limits::exports) +
                                                               " exports can be done simultaneously"}};
  }
  return others.of_token;
}

/// Opens a table of the request's own region that is not being restored.
Answer<OpenTable> open_source(const Context& context, const std::string& arn) {
  if (!is_in_region(context, arn)) return backup_table_not_found(arn);
  auto table = open_for_backup(context, arn);
  if (!table && table.error().code == api::ErrorCode::table_not_found_exception)
    return backup_table_not_found(arn);
  return table;
}

api::ExportDescription describe(const Context& context, const api::ExportTableToPointInTimeInput& input,
                                const TableSchema& schema, const std::string& id, const std::string& token,
                                ExportTimes times) {
  api::ExportDescription description;
  description.export_arn = schema.arn() + "/export/" + id;
  description.export_status = api::ExportStatus::in_progress;
  description.start_time = now(context);
  description.table_arn = schema.arn();
  description.table_id = schema.record().table_id;
  description.export_time = times.export_time;
  description.client_token = token;
  description.s3_bucket = input.s3_bucket;
  description.s3_bucket_owner = input.s3_bucket_owner;
  description.s3_prefix = input.s3_prefix;
  description.s3_sse_algorithm = input.s3_sse_algorithm.value_or(api::S3SseAlgorithm::aes256);
  description.s3_sse_kms_key_id = input.s3_sse_kms_key_id;
  description.export_format = input.export_format.value_or(api::ExportFormat::dynamodb_json);
  description.export_type = input.export_type;
  description.incremental_export_specification = std::move(times.window);
  description.filter_specification = input.filter_specification;
  description.destination_type = "S3";
  return description;
}

/// The table with the export listed, and the export's entry.
store::TableUpdate begin(const store::Table& table, const api::ExportEntry& entry) {
  api::TableRecord record = table.schema_as<TableSchema>().record();
  if (!record.exports) record.exports.emplace();
  record.exports->push_back(key_of(entry));
  store::TableUpdate update(encode_record(record));
  update.entries.push_back(write_of(entry));
  return update;
}

}  // namespace

Answer<api::ExportTableToPointInTimeOutput> export_table_to_point_in_time(
    const Context& context, api::ExportTableToPointInTimeInput&& input) {
  DINETTE_TRY(const auto filter, check_export_members(context, input));
  const std::string digest = digest_of(input);
  const auto earlier = [&]() -> Answer<std::optional<api::ExportEntry>> {
    DINETTE_STORED(const Others others, look_at_others(context, input.client_token));
    return check_others(others, digest);
  };
  DINETTE_TRY(const auto same, earlier());
  if (same) return api::ExportTableToPointInTimeOutput{same->description};
  DINETTE_TRY(const OpenTable table, open_source(context, input.table_arn));
  const std::string id = item_files::new_export_id(context.moment, context.store.ids());
  const std::string token = input.client_token ? *input.client_token : context.store.ids().uuid();

  // Changes of tables, of whatever tables, come one after the other: of two requests with one token the later
  // one sees here what the other has begun.
  const auto entry_of = [&](const store::Table& current) -> Answer<api::ExportEntry> {
    const auto& schema = current.schema_as<TableSchema>();
    DINETTE_TRY(auto found, earlier());
    if (found) return *std::move(found);
    DINETTE_TRY(ExportTimes times, export_times(context, input, schema.record()));
    if (filter) DINETTE_CHECK(filter->range_in(schema));
    api::ExportEntry entry;
    const bool present = !input.export_time && !times.window;
    entry.description = describe(context, input, schema, id, token, std::move(times));
    entry.account = context.account;
    entry.request_digest = digest;
    entry.source_id = static_cast<std::int64_t>(current.id);
    entry.source_name = current.name;
    if (present) entry.table_version = static_cast<std::int64_t>(current.version + 1);
    entry.not_before = {now(context).milliseconds + context.settings.state_delay.count()};
    return entry;
  };
  Answer<api::ExportEntry> made = backup_table_not_found(input.table_arn);
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    made = entry_of(current);
    const bool begins = made && id_of(*made) == id;
    return begins ? std::optional(begin(current, *made)) : std::nullopt;
  };
  DINETTE_STORED(const store::TablePointer updated, context.store.catalog().update(*table.table, decide));
  if (!updated) return backup_table_not_found(input.table_arn);
  if (!made) return base::Failure{std::move(made).error()};
  if (id_of(*made) == id) {
    run_export(context.store, context.jobs, context.settings.objects, *made);
    forget_exports_later(context.store, context.jobs, end_of(*made));
  }
  return api::ExportTableToPointInTimeOutput{std::move(made)->description};
}

}  // namespace dinette::dynamodb::ops
