#include "dynamodb/api/export_table_to_point_in_time.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/exports/export_arn.h"
#include "dynamodb/exports/export_entry.h"
#include "dynamodb/exports/export_request.h"
#include "dynamodb/exports/export_task.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tasks/dated_id.h"

// docs/service/export-import.md section 1.
namespace dinette::dynamodb::ops {
namespace {

/// Returns the export that the same request has begun, if it has.
Answer<std::optional<api::ExportEntry>> earlier_export(const Context& context, const ClientToken& token) {
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_STORED(const auto bound, token.read(view));
  const kv::Value* const entry = bound ? &*bound : nullptr;
  if (token.state(entry, context.now) == ClientToken::State::mismatched) {
    return base::Failure{ApiError{api::ErrorCode::export_conflict_exception,
                                  "Export conflict: Duplicate request detected with conflicting parameters"}};
  }
  DINETTE_STORED(auto earlier, begun_by<api::ExportEntry>(token, view, entry, context.now));
  return earlier;
}

Answer<void> check_export_count(const Context& context) {
  DINETTE_STORED(const auto unfinished, running<api::ExportEntry>(context.store));
  if (unfinished.size() < model::limits::exports) return {};
  return subscriber_limit("Only " + std::to_string(model::limits::exports) +
                          " exports can be done simultaneously");
}

/// Opens a table of the request's own region that is not being restored.
Answer<OpenTable> open_source(const Context& context, const std::string& arn) {
  if (!is_in_region(context, arn)) return backup_table_not_found(arn);
  auto table = open_for_backup(context, arn);
  if (!table && table.error().code == api::ErrorCode::table_not_found_exception)
    return backup_table_not_found(arn);
  return table;
}

api::ExportDescription describe_export(const Context& context,
                                       const api::ExportTableToPointInTimeInput& input,
                                       const TableSchema& schema, const std::string& id, ExportTimes times) {
  api::ExportDescription description;
  description.export_arn = schema.arn() + "/export/" + id;
  description.export_status = api::ExportStatus::in_progress;
  description.start_time = context.now;
  description.table_arn = schema.arn();
  description.table_id = schema.record().table_id;
  description.export_time = times.export_time;
  description.client_token = input.client_token;
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

/// The table with the export listed, the export's entry, and its token.
kv::Result<store::TableUpdate> begin_export(const Context& context, const ClientToken& token,
                                            const store::Table& table, const api::ExportEntry& entry) {
  api::TableRecord record = table.schema_as<TableSchema>().record();
  if (!record.exports) record.exports.emplace();
  record.exports->push_back(key_of(entry));
  store::TableUpdate update(encode_record(record));
  update.entries.push_back(write_of(entry));
  DINETTE_TRY(const store::View view, context.store.view());
  DINETTE_TRY(const auto bound, token.read(view));
  token.bind(update.entries, bound ? &*bound : nullptr, context.now + operation_token_lifetime,
             key_of(entry));
  return update;
}

}  // namespace

Answer<api::ExportTableToPointInTimeOutput> export_table_to_point_in_time(
    const Context& context, api::ExportTableToPointInTimeInput&& input) {
  DINETTE_TRY(const auto filter, check_export_members(context, input));
  if (!input.client_token) input.client_token = context.store.ids().uuid();
  const ClientToken token(context, "export", *input.client_token, digest_of(input));
  DINETTE_TRY(const auto same, earlier_export(context, token));
  if (same) return api::ExportTableToPointInTimeOutput{same->description};
  DINETTE_CHECK(check_export_count(context));
  DINETTE_TRY(const OpenTable table, open_source(context, input.table_arn));
  const std::string id = new_dated_id(context.now, context.store.ids());

  // Table changes are serialized, so the second of two requests with the same token finds the first one's
  // export.
  const auto entry_of = [&](const store::Table& current) -> Answer<api::ExportEntry> {
    const auto& schema = current.schema_as<TableSchema>();
    DINETTE_TRY(auto found, earlier_export(context, token));
    if (found) return *std::move(found);
    DINETTE_TRY(ExportTimes times, export_times(context, input, schema.record()));
    if (filter) DINETTE_CHECK(filter->range_in(schema));
    api::ExportEntry entry;
    const bool present = !input.export_time && !times.window;
    entry.description = describe_export(context, input, schema, id, std::move(times));
    entry.account = context.account;
    entry.source_id = static_cast<std::int64_t>(current.id);
    entry.source_name = current.name;
    if (present) entry.table_version = static_cast<std::int64_t>(current.version + 1);
    entry.not_before = context.now + context.settings.state_delay;
    return entry;
  };
  Answer<api::ExportEntry> made = backup_table_not_found(input.table_arn);
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    made = entry_of(current);
    if (!made || id_of(*made) != id) return std::nullopt;
    auto update = begin_export(context, token, current, *made);
    if (!update) made = storage_failure(update.error());
    return update ? std::optional(std::move(update).value()) : std::nullopt;
  };
  DINETTE_STORED(const store::TablePointer updated, context.store.catalog().update(*table.table, decide));
  if (!updated) return backup_table_not_found(input.table_arn);
  if (!made) return base::Failure{std::move(made).error()};
  if (id_of(*made) == id) {
    run_export(context.store, context.jobs, context.settings.objects, *made);
    forget_later(context, *made);
  }
  return api::ExportTableToPointInTimeOutput{std::move(made)->description};
}

}  // namespace dinette::dynamodb::ops
