#include "tablestore/api/describe_stream.h"

#include "tablestore/streams/stream_id.h"

// tablestore/streams.md section 2
namespace dinette::tablestore::ops {

Answer<api::DescribeStreamResponse> describe_stream(const Context& context,
                                                    api::DescribeStreamRequest&& request) {
  DINETTE_TRY(const OpenTable table, open_stream(context, request.stream_id));
  const StreamMeta& stream = *table.meta().stream;
  api::DescribeStreamResponse response;
  response.stream_id = request.stream_id;
  response.expiration_time = stream.expiration_hours;
  response.table_name = table.meta().name;
  response.creation_time = stream.enabled;
  response.stream_status = api::StreamStatus::active;
  if (request.inclusive_start_shard_id.value_or(only_shard) <= only_shard)
    response.shards.push_back({.shard_id = std::string(only_shard)});
  return response;
}

}  // namespace dinette::tablestore::ops
