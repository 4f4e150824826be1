#include "dynamodb/api/start_bulk_put_items.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/bulk/bulk_entry.h"
#include "dynamodb/bulk/bulk_task.h"
#include "dynamodb/exports/export_request.h"
#include "dynamodb/model/resource_arn.h"
#include "dynamodb/request/request_digest.h"
#include "dynamodb/tables/index_states.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tasks/dated_id.h"

// docs/service/export-import.md section 3.
namespace dinette::dynamodb::ops {
namespace {

using BulkInput = api::StartBulkPutItemsInput;

Answer<void> check_output(const api::OutputS3Configuration& output) {
  return check_encryption(output.s3_sse_algorithm, output.s3_sse_kms_key_id);
}

template <class Enum>
void add_to(RequestDigest& digest, const std::optional<Enum>& value) {
  digest.add(value ? to_string(*value) : "");
}

/// Returns the digest of everything except the ClientToken. The name and the ARN of a table are equivalent.
base::Sha256Digest bulk_digest(const BulkInput& input) {
  const api::InputS3Configuration& from = input.input_s3_configuration;
  const api::OutputS3Configuration& to = input.output_s3_configuration;
  RequestDigest digest("StartBulkPutItems");
  digest.add(model::plain_table_name(input.table_name));
  digest.add(from.s3_bucket);
  digest.add_optional(from.s3_bucket_owner);
  digest.add_optional(from.s3_key_prefix);
  digest.add_enum(from.input_format);
  add_to(digest, from.input_compression_type);
  digest.add_optional(to.s3_bucket);
  digest.add_optional(to.s3_bucket_owner);
  digest.add_optional(to.s3_key_prefix);
  add_to(digest, to.s3_sse_algorithm);
  digest.add_optional(to.s3_sse_kms_key_id);
  for (const api::OutputTypeEnum type : to.output_type) digest.add_enum(type);
  digest.add(input.max_write_request_units ? std::to_string(*input.max_write_request_units) : "");
  add_to(digest, input.performance_tier);
  return digest.finish();
}

base::Failure<ApiError> bulk_token_mismatch() {
  return base::Failure{ApiError{api::ErrorCode::idempotent_parameter_mismatch_exception,
                                "The client token was used for a bulk operation with other parameters."}};
}

base::Failure<ApiError> bulk_in_use(std::string message) {
  return base::Failure{ApiError{api::ErrorCode::resource_in_use_exception, std::move(message)}};
}

base::Failure<ApiError> already_has_bulk(const std::string& table) {
  return bulk_in_use("Table already has a running bulk operation: " + table);
}

/// Checks that the table is ACTIVE, or UPDATING something other than an index.
Answer<void> check_open_for_bulk(const Context& context, const OpenTable& table) {
  const api::TableRecord& record = table.record();
  const TableState state = state_at(record, context.now);
  const bool open = state.status == api::TableStatus::active || state.status == api::TableStatus::updating;
  if (!open) return still_in_use(record, state.status);
  for (const api::TableSettings* const settings : {&state.settings, &state.target}) {
    for (const IndexState& index : index_states(*settings)) {
      if (index.building || index.status == api::IndexStatus::creating)
        return still_in_use("Index is being created: " + std::string(index.name));
    }
  }
  return {};
}

Answer<void> check_bulk_count(const Context& context) {
  DINETTE_STORED(const auto unfinished, running<api::BulkEntry>(context.store));
  if (unfinished.size() < model::limits::bulk_operations) return {};
  return subscriber_limit("Only " + std::to_string(model::limits::bulk_operations) +
                          " bulk operations can be done simultaneously");
}

api::BulkOperationDescription describe_bulk(const Context& context, const BulkInput& input,
                                            const OpenTable& table) {
  const api::TableRecord& record = table.record();
  api::BulkOperationDescription operation;
  operation.bulk_operation_arn = table.schema().arn() + "/" + std::string(bulk_arn_part) + "/" +
                                 new_dated_id(context.now, context.store.ids());
  operation.bulk_operation_status = api::BulkOperationStatus::in_progress;
  operation.table_details = {api::BulkOperationTableDetail{record.table_name, record.table_id}};
  operation.client_token = input.client_token;
  operation.input_s3_configuration = input.input_s3_configuration;
  if (!input.input_s3_configuration.input_compression_type)
    operation.input_s3_configuration->input_compression_type = api::InputCompressionType::none;
  operation.output_s3_configuration = input.output_s3_configuration;
  operation.start_time = context.now;
  operation.processed_item_count = 0;
  operation.processed_input_bytes = 0;
  operation.failed_item_count = 0;
  api::BulkOperationUsage usage;
  usage.table_name = record.table_name;
  usage.bulk_put_bytes = 0;
  usage.table = api::BulkOperationBytes{0};
  operation.bulk_operation_usage = {std::move(usage)};
  operation.max_write_request_units = input.max_write_request_units;
  operation.performance_tier = input.performance_tier.value_or(api::BulkOperationPerformanceTier::standard);
  return operation;
}

api::BulkEntry new_bulk(const Context& context, const BulkInput& input, const OpenTable& table) {
  api::BulkEntry entry;
  entry.description = describe_bulk(context, input, table);
  entry.account = context.account;
  entry.table_arn = table.schema().arn();
  entry.table_name = table.record().table_name;
  entry.table_id = table.record().table_id;
  entry.not_before = context.now + context.settings.state_delay;
  for (const api::OutputTypeEnum type : input.output_s3_configuration.output_type) {
    if (std::ranges::find(entry.reports, type, &api::BulkReport::type) == entry.reports.end())
      entry.reports.push_back({.type = type});
  }
  return entry;
}

/// Returns the operation that the same request has begun, if it has; `bound` is the entry of the token.
Answer<std::optional<api::BulkEntry>> earlier_bulk(const Context& context, const ClientToken& token,
                                                   const kv::Value* bound) {
  if (token.state(bound, context.now) == ClientToken::State::mismatched) return bulk_token_mismatch();
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_STORED(auto earlier, begun_by<api::BulkEntry>(token, view, bound, context.now));
  return earlier;
}

/// Stores a new operation, unless its token has begun one: then it returns that one. The table may have no
/// other.
Answer<api::BulkEntry> store_bulk(const Context& context, const ClientToken& token,
                                  api::BulkEntry operation) {
  const store::EntryWrite entry = write_of(operation);
  const std::array targets{token.target(), store::WriteTarget::entry(bulk_tables_space, operation.table_id),
                           store::WriteTarget::entry(entry.space, entry.key)};
  kv::Value bound;
  const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
    const bool is_new = token.state(rows[0], context.now) == ClientToken::State::unbound;
    bound = is_new ? kv::Value() : *rows[0];
    if (!is_new || rows[1]) return false;
    token.bind(changes[0], rows[0], context.now + operation_token_lifetime, entry.key);
    for (const std::size_t target : {1, 2}) changes[target].row = store::RowChange::Row::put;
    changes[1].value = kv::Value(entry.key);
    changes[2].value = entry.value;
    return true;
  };
  DINETTE_STORED(const auto written, context.store.write(targets, decide));
  DINETTE_TRY(auto earlier, earlier_bulk(context, token, bound ? &bound : nullptr));
  if (earlier) return *std::move(earlier);
  if (written.outcome != store::WriteOutcome::applied) return already_has_bulk(operation.table_name);
  return operation;
}

}  // namespace

Answer<api::StartBulkPutItemsOutput> start_bulk_put_items(const Context& context, BulkInput&& input) {
  DINETTE_CHECK(check_output(input.output_s3_configuration));
  if (!input.client_token) input.client_token = context.store.ids().uuid();
  const ClientToken token(context, "bulk", *input.client_token, bulk_digest(input));
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_STORED(const auto bound, token.read(view));
  DINETTE_TRY(auto earlier, earlier_bulk(context, token, bound ? &*bound : nullptr));
  if (earlier) return api::StartBulkPutItemsOutput{std::move(earlier->description)};
  DINETTE_TRY(const OpenTable table, open_for_control(context, input.table_name));
  DINETTE_CHECK(check_open_for_bulk(context, table));
  DINETTE_CHECK(check_bulk_count(context));
  api::BulkEntry wanted = new_bulk(context, input, table);
  const std::string key = key_of(wanted);
  DINETTE_TRY(api::BulkEntry operation, store_bulk(context, token, std::move(wanted)));
  if (key_of(operation) == key) {
    run_bulk({context.store, context.jobs, context.settings.objects, context.settings.time_to_live_delay},
             key);
    forget_later(context, operation);
  }
  return api::StartBulkPutItemsOutput{std::move(operation.description)};
}

}  // namespace dinette::dynamodb::ops
