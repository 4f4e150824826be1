#include "kinesis/api/merge_shards.h"

#include <optional>
#include <string>
#include <vector>

#include "kinesis/streams/new_shards.h"
#include "kinesis/streams/open_stream.h"

// docs/service/kinesis-data-streams.md section 3.
namespace dinette::kinesis::ops {
namespace {

/// Returns the hash keys of two shards together; nothing unless they are neighbours.
std::optional<HashRange> together(const HashRange& one, const HashRange& other) {
  if (one.last.next() == other.first && one.first < other.first) return HashRange{one.first, other.last};
  if (other.last.next() == one.first && other.first < one.first) return HashRange{other.first, one.last};
  return std::nullopt;
}

Answer<void> merge(const Context& context, api::StreamRecord& stream, const std::vector<std::int64_t>& merged,
                   store::StreamId id) {
  DINETTE_CHECK(check_active(context, stream));
  DINETTE_TRY(const api::ShardRecord* const first, open_shard(context, stream, merged.front()));
  DINETTE_TRY(const api::ShardRecord* const second, open_shard(context, stream, merged.back()));
  const auto range = together(range_of(*first), range_of(*second));
  if (range) return replace_shards(context, stream, merged, {{*range, id}});
  return invalid_argument("Shards " + shard_id(first->number) + " and " + shard_id(second->number) +
                          " in stream " + stream.name + " under account " + std::string(context.account) +
                          " are not an adjacent pair of shards eligible for merging");
}

}  // namespace

Answer<api::MergeShardsOutput> merge_shards(const Context& context, api::MergeShardsInput&& input) {
  DINETTE_TRY(const std::string name, name_of({input.stream_name, input.stream_arn}));
  DINETTE_TRY(const std::int64_t first, shard_number(context, name, input.shard_to_merge));
  DINETTE_TRY(const std::int64_t second, shard_number(context, name, input.adjacent_shard_to_merge));
  DINETTE_TRY(const OpenStream stream, open_stream(context, {input.stream_name, input.stream_arn}));
  DINETTE_CHECK(check_active(context, stream.record()));
  DINETTE_TRY(const auto ids, new_record_ids(context, 1));
  DINETTE_CHECK(change_stream(context, stream, [&](api::StreamRecord& record) {
    return merge(context, record, {first, second}, ids.front());
  }));
  return api::MergeShardsOutput();
}

}  // namespace dinette::kinesis::ops
