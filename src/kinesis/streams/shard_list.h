#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kinesis/api/shard.h"
#include "kinesis/api/shard_filter.h"
#include "kinesis/request/context.h"
#include "kinesis/streams/stream_schema.h"

namespace dinette::kinesis {

inline constexpr std::int64_t before_all_shards = -1;

using ShardRecords = std::vector<const api::ShardRecord*>;

/// Returns the shards that clients see, by their numbers: none while the stream is CREATING.
ShardRecords visible_shards(const Context& context, const api::StreamRecord& stream);

/// Returns those that a ListShards with this filter returns.
Answer<ShardRecords> filtered_shards(const Context& context, const api::StreamRecord& stream,
                                     const std::optional<api::ShardFilter>& filter);

/// Describes up to `limit` shards from the first after the number `after`. Returns true if there are more.
bool list_shards(const ShardRecords& shards, std::int64_t after, std::size_t limit,
                 std::vector<api::Shard>& out);

}  // namespace dinette::kinesis
