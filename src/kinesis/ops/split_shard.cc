#include "kinesis/api/split_shard.h"

#include <string>
#include <vector>

#include "kinesis/streams/new_shards.h"
#include "kinesis/streams/open_stream.h"

// docs/service/kinesis-data-streams.md section 3.
namespace dinette::kinesis::ops {
namespace {

Answer<void> split(const Context& context, api::StreamRecord& stream, std::int64_t number,
                   const std::string& new_start, const std::vector<store::StreamId>& ids) {
  DINETTE_CHECK(check_active(context, stream));
  DINETTE_TRY(const api::ShardRecord* const shard, open_shard(context, stream, number));
  const HashRange range = range_of(*shard);
  const auto hash = HashKey::parse(new_start);
  const bool inside = hash && *hash > range.first.next() && *hash < range.last;
  if (!inside) {
    return invalid_argument(
        "NewStartingHashKey " + new_start + " used in SplitShard() on shard " + shard_id(number) +
        " in stream " + stream.name + " under account " + std::string(context.account) +
        " is not both greater than one plus the shard's StartingHashKey " + shard->first_hash +
        " and less than the shard's EndingHashKey " + shard->last_hash + ".");
  }
  return replace_shards(context, stream, {number},
                        {{{range.first, hash->previous()}, ids[0]}, {{*hash, range.last}, ids[1]}});
}

}  // namespace

Answer<api::SplitShardOutput> split_shard(const Context& context, api::SplitShardInput&& input) {
  DINETTE_TRY(const std::string name, name_of({input.stream_name, input.stream_arn}));
  DINETTE_TRY(const std::int64_t number, shard_number(context, name, input.shard_to_split));
  DINETTE_TRY(const OpenStream stream, open_stream(context, {input.stream_name, input.stream_arn}));
  DINETTE_CHECK(check_active(context, stream.record()));
  DINETTE_TRY([[maybe_unused]] const auto* const found, open_shard(context, stream.record(), number));
  DINETTE_CHECK(check_account_shards(context, 1));
  DINETTE_TRY(const auto ids, new_record_ids(context, 2));
  DINETTE_CHECK(change_stream(context, stream, [&](api::StreamRecord& record) {
    return split(context, record, number, input.new_starting_hash_key, ids);
  }));
  return api::SplitShardOutput();
}

}  // namespace dinette::kinesis::ops
