#include "tablestore/api/get_shard_iterator.h"

#include <algorithm>
#include <chrono>

#include "dinette/base/waiting.h"

#include "tablestore/api/refusals.h"
#include "tablestore/streams/shard_records.h"
#include "tablestore/streams/stream_id.h"

// tablestore/streams.md section 2
namespace dinette::tablestore::ops {
namespace {

/// Times beyond all clocks are as the last one.
base::TimePoint moment_of(std::int64_t microseconds) {
  return std::min(base::TimePoint(std::chrono::microseconds(microseconds)), base::latest_time);
}

}  // namespace

Answer<api::GetShardIteratorResponse> get_shard_iterator(const Context& context,
                                                         api::GetShardIteratorRequest&& request) {
  DINETTE_TRY(const OpenTable table, open_stream(context, request.stream_id));
  if (request.shard_id != only_shard) return refuse::no_such_shard(request.shard_id);
  api::GetShardIteratorResponse response;
  if (!request.timestamp || *request.timestamp <= 0) {
    response.shard_iterator = first_iterator(context, table).encode();
    return response;
  }
  if (!base::may_wait()) return must_wait();
  DINETTE_TRY(const ShardIterator iterator, iterator_at(context, table, moment_of(*request.timestamp)));
  response.shard_iterator = iterator.encode();
  return response;
}

}  // namespace dinette::tablestore::ops
