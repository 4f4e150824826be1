#pragma once

#include <cstddef>
#include <vector>

#include "kinesis/request/context.h"
#include "kinesis/streams/hash_key.h"
#include "kinesis/streams/stream_schema.h"

// docs/service/kinesis-data-streams.md section 3.
namespace dinette::kinesis {

/// Returns ids for the records of shards. Those that are not used are lost, which does no harm.
Answer<std::vector<store::StreamId>> new_record_ids(const Context& context, std::size_t count);

/// Adds the shards of a new stream, which have equal parts of the hash keys: one per id.
void add_first_shards(api::StreamRecord& stream, const std::vector<store::StreamId>& ids);

/// The hash keys of a shard.
struct HashRange {
  HashKey first;
  HashKey last;
};
HashRange range_of(const api::ShardRecord& shard);

/// A shard that is to take over from others.
struct Successor {
  HashRange range;
  store::StreamId id;
};

/// Closes the shards of these numbers, of which there are one or two, and opens their successors. For
/// change_stream(): nothing may be written meanwhile.
Answer<void> replace_shards(const Context& context, api::StreamRecord& stream,
                            const std::vector<std::int64_t>& closed, const std::vector<Successor>& opened);

/// Refuses shards beyond those that an account may have.
Answer<void> check_account_shards(const Context& context, std::size_t more);

/// Returns the open shard of this number, or an error in the words of SplitShard and MergeShards.
Answer<const api::ShardRecord*> open_shard(const Context& context, const api::StreamRecord& stream,
                                           std::int64_t number);

}  // namespace dinette::kinesis
