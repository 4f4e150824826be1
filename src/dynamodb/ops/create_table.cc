#include "dynamodb/api/create_table.h"

#include <optional>
#include <utility>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/stream_specification.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_transition.h"
#include "dynamodb/replicas/describe_replicas.h"
#include "dynamodb/replicas/join_group.h"
#include "dynamodb/streams/stream_entry.h"
#include "dynamodb/streams/stream_upkeep.h"
#include "dynamodb/streams/table_stream.h"
#include "dynamodb/tables/account_quotas.h"
#include "dynamodb/tables/new_table.h"
#include "dynamodb/tables/new_table_checks.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_description.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb::ops {
namespace {

/// Enables the stream that the request wants; nothing if it wants none.
Answer<std::optional<api::StreamEntry>> add_stream(const Context& context,
                                                   const std::optional<api::StreamSpecification>& wanted,
                                                   api::TableRecord& record) {
  if (!wanted || !wanted->stream_enabled) return std::optional<api::StreamEntry>();
  DINETTE_STORED(const auto shards, new_shards(context.store, first_shards(record)));
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_STORED(api::StreamEntry stream, enable_stream(view, record, *wanted->stream_view_type,
                                                        {record.created, record.transition->until}, shards));
  return std::optional(std::move(stream));
}

base::Failure<ApiError> already_exists(const std::string& name) {
  return base::Failure{ApiError{api::ErrorCode::resource_in_use_exception, "Table already exists: " + name}};
}

base::Failure<ApiError> name_in_use(const Context& context, const OpenTable& table) {
  const api::TableRecord& record = table.record();
  const api::TableStatus status = state_at(record, context.now).status;
  if (is_restoring(record, context.now)) return still_in_use("Table is being used: " + record.table_name);
  const bool passing = status == api::TableStatus::creating || status == api::TableStatus::deleting;
  return passing ? still_in_use(record, status) : already_exists(record.table_name);
}

Answer<api::CreateTableOutput> describe_new_replica(const Context& context, const store::Table& table) {
  const TableSchema& schema = table.schema_as<TableSchema>();
  api::TableDescription description =
      describe(schema, {api::TableStatus::creating, schema.record().settings, context.now});
  describe_replicas(schema.record(), context.region, context.now, ReplicaChanges::shown, description);
  return api::CreateTableOutput{std::move(description)};
}

}  // namespace

Answer<api::CreateTableOutput> create_table(const Context& context, api::CreateTableInput&& input) {
  DINETTE_CHECK(check_own_arn(context, input.table_name));
  DINETTE_CHECK(check_new_table(context, input));
  if (input.global_table_source_arn) {
    DINETTE_TRY(const store::TablePointer replica, join_group(context, input));
    return describe_new_replica(context, *replica);
  }
  api::TableRecord record = new_table(context, input);
  DINETTE_CHECK(finish_deletion(context, record.table_name));
  DINETTE_TRY(const OpenTable present, find_table(context, record.table_name));
  if (present.table) return name_in_use(context, present);
  DINETTE_CHECK(check_new_table_quotas(context, record.settings));
  DINETTE_TRY(const auto stream, add_stream(context, input.stream_specification, record));
  std::vector<store::EntryWrite> entries;
  if (stream) entries.push_back(write_of(*stream));
  DINETTE_STORED(const store::TablePointer table,
                 context.store.catalog().create(record.table_name, encode_record(record), entries));
  if (!table) return already_exists(record.table_name);  // by another request since the look
  if (stream) keep_stream(context.store, context.jobs, *stream, context.settings.stream_retention);
  const TableSchema& schema = table->schema_as<TableSchema>();
  return api::CreateTableOutput{
      describe(schema, {api::TableStatus::creating, record.settings, record.created})};
}

}  // namespace dinette::dynamodb::ops
