#include "kinesis/streams/descriptions.h"

namespace dinette::kinesis {

api::HashKeyRange hash_range_of(const api::ShardRecord& shard) {
  return {shard.first_hash, shard.last_hash};
}

api::Shard describe(const api::ShardRecord& shard) {
  api::Shard described;
  described.shard_id = shard_id(shard.number);
  if (shard.parent) described.parent_shard_id = shard_id(*shard.parent);
  if (shard.adjacent_parent) described.adjacent_parent_shard_id = shard_id(*shard.adjacent_parent);
  described.hash_key_range = hash_range_of(shard);
  described.sequence_number_range = {shard.start, shard.end};
  return described;
}

std::vector<api::EnhancedMetrics> no_metrics() {
  return {api::EnhancedMetrics()};
}

}  // namespace dinette::kinesis
