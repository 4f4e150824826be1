#include "dynamodb/api/import_table.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "dinette/aws/region.h"

#include "dynamodb/api/create_table.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/api/import_entry.h"
#include "dynamodb/api/input_format_options.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/s3_bucket_source.h"
#include "dynamodb/api/table_creation_parameters.h"
#include "dynamodb/imports/import_entry.h"
#include "dynamodb/imports/import_task.h"
#include "dynamodb/request/request_digest.h"
#include "dynamodb/tables/account_quotas.h"
#include "dynamodb/tables/new_table.h"
#include "dynamodb/tables/new_table_checks.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/tasks/dated_id.h"

// docs/service/export-import.md section 2.
namespace dinette::dynamodb::ops {
namespace {

std::string_view name_of(api::InputFormat format) {
  return api::to_string(format);
}

Answer<void> check_options(const api::ImportTableInput& input) {
  const bool of_csv = input.input_format_options && input.input_format_options->csv;
  if (!of_csv || input.input_format == api::InputFormat::csv) return {};
  return validation("Invalid Request: Unsupported InputFormatOptions for the given input format: " +
                    std::string(name_of(input.input_format)) + ".");
}

api::CreateTableInput wanted_table(const api::TableCreationParameters& parameters) {
  api::CreateTableInput table;
  table.table_name = parameters.table_name;
  table.attribute_definitions = parameters.attribute_definitions;
  table.key_schema = parameters.key_schema;
  if (parameters.billing_mode) table.billing_mode = *parameters.billing_mode;
  table.provisioned_throughput = parameters.provisioned_throughput;
  table.on_demand_throughput = parameters.on_demand_throughput;
  table.sse_specification = parameters.sse_specification;
  table.global_secondary_indexes = parameters.global_secondary_indexes;
  table.vector_indexes = parameters.vector_indexes;
  return table;
}

/// Ignores a table that is being imported: whether it gets the name is decided later.
Answer<void> check_name(const Context& context, const std::string& name) {
  DINETTE_CHECK(finish_deletion(context, name));
  DINETTE_TRY(const OpenTable present, find_table(context, name));
  if (!present.table || present.record().import_key) return {};
  return base::Failure{ApiError{api::ErrorCode::resource_in_use_exception, "Table already exists: " + name}};
}

Answer<void> check_import_count(const Context& context) {
  DINETTE_STORED(const auto unfinished, running<api::ImportEntry>(context.store));
  if (unfinished.size() < model::limits::imports) return {};
  return subscriber_limit("Only " + std::to_string(model::limits::imports) +
                          " imports can be done simultaneously");
}

api::ImportTableDescription describe_import(const Context& context, const api::ImportTableInput& input,
                                            const api::TableRecord& table) {
  api::ImportTableDescription import;
  import.table_arn = arn_of_table(table);
  import.import_arn = *import.table_arn + "/import/" + new_dated_id(context.now, context.store.ids());
  import.import_status = api::ImportStatus::in_progress;
  import.table_id = table.table_id;
  import.client_token = input.client_token;
  import.s3_bucket_source = input.s3_bucket_source;
  if (!import.s3_bucket_source->s3_bucket_owner)
    import.s3_bucket_source->s3_bucket_owner = std::string(context.account);
  import.error_count = 0;
  import.cloud_watch_log_group_arn = "arn:" + std::string(aws::partition_of(context.region)) +
                                     ":logs:" + std::string(context.region) + ":" +
                                     std::string(context.account) + ":log-group:/aws-dynamodb/imports:*";
  import.input_format = input.input_format;
  import.input_format_options = input.input_format_options;
  import.input_compression_type = input.input_compression_type.value_or(api::InputCompressionType::none);
  import.table_creation_parameters = input.table_creation_parameters;
  import.start_time = context.now;
  import.processed_item_count = 0;
  import.imported_item_count = 0;
  return import;
}

api::ImportEntry new_import(const Context& context, const api::ImportTableInput& input,
                            const api::CreateTableInput& table) {
  api::ImportEntry entry;
  entry.account = context.account;
  entry.table = new_table(context, table);
  entry.description = describe_import(context, input, entry.table);
  entry.table.import_key = key_of(entry);
  entry.not_before = context.now + context.settings.state_delay;
  return entry;
}

/// Two requests with one token differ by the table that they create.
ClientToken token_of(const Context& context, const api::ImportTableInput& input) {
  RequestDigest digest("ImportTable");
  digest.add(input.table_creation_parameters.table_name);
  return {context, "import", input.client_token, digest.finish()};
}

/// Stores a new import, unless its token has begun one: then it returns that one.
Answer<api::ImportEntry> store_import(const Context& context, const ClientToken& token,
                                      api::ImportEntry import) {
  const store::EntryWrite entry = write_of(import);
  const std::array targets{token.target(), store::WriteTarget::entry(entry.space, entry.key)};
  kv::Value bound;
  const auto decide = [&](const store::Rows& rows, store::RowChanges changes) {
    const bool is_new = token.state(rows[0], context.now) == ClientToken::State::unbound;
    bound = is_new ? kv::Value() : *rows[0];
    if (!is_new) return false;
    token.bind(changes[0], rows[0], context.now + operation_token_lifetime, entry.key);
    changes[1].row = store::RowChange::Row::put;
    changes[1].value = entry.value;
    return true;
  };
  DINETTE_STORED([[maybe_unused]] const auto written, context.store.write(targets, decide));
  if (!bound) return import;
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_STORED(auto earlier, begun_by<api::ImportEntry>(token, view, &bound, context.now));
  if (earlier) return *std::move(earlier);
  return base::Failure{ApiError{api::ErrorCode::import_conflict_exception,
                                "Import conflict: Duplicate request detected with conflicting parameters"}};
}

}  // namespace

Answer<api::ImportTableOutput> import_table(const Context& context, api::ImportTableInput&& input) {
  DINETTE_CHECK(check_options(input));
  const api::CreateTableInput table = wanted_table(input.table_creation_parameters);
  DINETTE_CHECK(check_new_table(context, table));
  DINETTE_CHECK(check_name(context, table.table_name));
  DINETTE_CHECK(check_import_count(context));
  api::ImportEntry wanted = new_import(context, input, table);
  DINETTE_CHECK(check_new_table_quotas(context, wanted.table.settings));
  const std::string key = key_of(wanted);
  DINETTE_TRY(api::ImportEntry import, store_import(context, token_of(context, input), std::move(wanted)));
  if (key_of(import) == key) {
    import_items(context.store, context.jobs, context.settings.objects, key);
    forget_later(context, import);
  }
  return api::ImportTableOutput{std::move(import.description)};
}

}  // namespace dinette::dynamodb::ops
