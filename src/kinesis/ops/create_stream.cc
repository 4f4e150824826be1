#include "kinesis/api/create_stream.h"

#include "kinesis/api/limits.h"
#include "kinesis/api/stream_transition.h"
#include "kinesis/streams/new_shards.h"
#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/stream_tags.h"
#include "kinesis/streams/stream_upkeep.h"

// docs/service/kinesis-data-streams.md section 2.
namespace dinette::kinesis::ops {
namespace {

base::Failure<ApiError> already_exists(const Context& context, const std::string& name) {
  return refusal(api::ErrorCode::resource_in_use_exception,
                 stream_under_account(name, context.account) + " already exists.");
}

Answer<std::size_t> first_shards(const api::CreateStreamInput& input) {
  const bool on_demand =
      input.stream_mode_details && input.stream_mode_details->stream_mode == api::StreamMode::on_demand;
  if (!on_demand) return static_cast<std::size_t>(input.shard_count.value_or(1));
  if (!input.shard_count) return static_cast<std::size_t>(model::limits::shards_on_demand);
  return refusal(api::ErrorCode::validation_exception,
                 "Invalid parameter: ShardCount cannot be set for a stream in ON_DEMAND mode.");
}

/// Removes the stream of this name if its deletion is over: its job may not have come to that yet.
Answer<void> finish_deletion(const Context& context, const std::string& name) {
  DINETTE_KINESIS_STORED(const store::TablePointer table, context.store.catalog().open(name));
  if (!table || !state_at(table->schema_as<StreamSchema>().record(), context.now).gone) return {};
  if (const auto removed = remove_stream(context.store, context.jobs, *table); !removed)
    return storage_failure(removed.error());
  return {};
}

api::StreamRecord new_stream(const Context& context, const api::CreateStreamInput& input) {
  api::StreamRecord record;
  record.name = input.stream_name;
  record.account = context.account;
  record.region = context.region;
  record.created = context.now;
  record.mode =
      input.stream_mode_details ? input.stream_mode_details->stream_mode : api::StreamMode::provisioned;
  record.retention_hours = model::limits::least_retention_hours;
  record.max_record_kib = input.max_record_size_in_ki_b.value_or(model::limits::record_kib);
  if (context.state_delay.count() > 0) {
    record.transition = api::StreamTransition{api::StreamStatus::creating, record.created,
                                              record.created + context.state_delay};
  }
  return record;
}

}  // namespace

Answer<api::CreateStreamOutput> create_stream(const Context& context, api::CreateStreamInput&& input) {
  DINETTE_TRY(const std::size_t shards, first_shards(input));
  DINETTE_CHECK(finish_deletion(context, input.stream_name));
  DINETTE_TRY(const OpenStream present, find_stream(context, input.stream_name));
  if (present.table) return already_exists(context, input.stream_name);
  DINETTE_CHECK(check_account_shards(context, shards));
  api::StreamRecord record = new_stream(context, input);
  if (input.tags) DINETTE_CHECK(add_tags(context, record, *input.tags));
  DINETTE_TRY(const auto ids, new_record_ids(context, shards));
  add_first_shards(record, ids);
  DINETTE_KINESIS_STORED(const store::TablePointer table,
                         context.store.catalog().create(record.name, encode_record(record)));
  if (!table) return already_exists(context, record.name);  // by another request since the look
  keep_stream(context.store, context.jobs, *table);
  return api::CreateStreamOutput();
}

}  // namespace dinette::kinesis::ops
