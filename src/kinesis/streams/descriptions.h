#pragma once

#include <cstddef>
#include <vector>

#include "kinesis/api/enhanced_metrics.h"
#include "kinesis/api/hash_key_range.h"
#include "kinesis/api/shard.h"
#include "kinesis/streams/open_stream.h"

namespace dinette::kinesis {

api::Shard describe(const api::ShardRecord& shard);
api::HashKeyRange hash_range_of(const api::ShardRecord& shard);
/// Returns the metrics of shards that are enabled: none.
std::vector<api::EnhancedMetrics> no_metrics();

}  // namespace dinette::kinesis
