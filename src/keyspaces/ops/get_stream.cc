#include "keyspaces/api/get_stream.h"

#include <utility>

#include "keyspaces/definitions/streams.h"

// docs/service-keyspaces/control-plane.md section 5.
namespace dinette::keyspaces::ops {
namespace {

Answer<api::Shard> only_shard(const Context& context, const cql::ChangeStreamDescription& stream) {
  api::Shard shard;
  shard.shard_id = shard_id(stream);
  shard.parent_shard_ids.emplace();
  shard.sequence_number_range.emplace().starting_sequence_number = sequence_number({});
  if (stream.enabled) return shard;
  DINETTE_KEYSPACES_DEFINED(const auto end, cql::end_of_changes(context.scope, stream));
  shard.sequence_number_range->ending_sequence_number = sequence_number(end.value_or(kv::CommitPosition()));
  return shard;
}

}  // namespace

/// All shards fit on one page; none has children.
Answer<api::GetStreamOutput> get_stream(const Context& context, api::GetStreamInput&& input) {
  if (input.next_token) return not_valid("Invalid nextToken.", "InvalidFormat");
  DINETTE_TRY(const auto stream, open_stream(context, input.stream_arn));
  api::GetStreamOutput output;
  output.stream_arn = stream.arn;
  output.stream_label = stream.label;
  output.stream_status = stream.enabled ? api::CdcStatus::enabled : api::CdcStatus::disabled;
  api::from_string(stream.view_type, output.stream_view_type);
  output.creation_request_date_time = aws::Timestamp(stream.since);
  output.keyspace_name = stream.keyspace;
  output.table_name = stream.table;
  output.shards.emplace();
  if (input.shard_filter) return output;
  DINETTE_TRY(output.shards->emplace_back(), only_shard(context, stream));
  return output;
}

}  // namespace dinette::keyspaces::ops
