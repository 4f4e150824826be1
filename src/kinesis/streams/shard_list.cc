#include "kinesis/streams/shard_list.h"

#include <algorithm>
#include <chrono>
#include <string>

#include "kinesis/streams/descriptions.h"
#include "kinesis/streams/open_stream.h"

namespace dinette::kinesis {
namespace {

/// Which shards a filter wants: those that were open at a moment, or at that moment or later.
struct WantedShards {
  aws::Timestamp moment;
  bool or_later = false;

  bool has(const api::ShardRecord& shard) const {
    if (shard.closed && *shard.closed <= moment) return false;
    return or_later || shard.opened <= moment;
  }
};

base::Failure<ApiError> lacks(std::string_view member, api::ShardFilterType type) {
  return invalid_argument("ShardFilter of type " + std::string(to_string(type)) + " requires " +
                          std::string(member) + ".");
}

Answer<WantedShards> wanted_by(const Context& context, const api::StreamRecord& stream,
                               const api::ShardFilter& filter) {
  using enum api::ShardFilterType;
  const aws::Timestamp now(context.now);
  const aws::Timestamp horizon = std::max(stream.created, now - std::chrono::hours(stream.retention_hours));
  const bool by_time = filter.type == at_timestamp || filter.type == from_timestamp;
  if (by_time && !filter.timestamp) return lacks("Timestamp", filter.type);
  switch (filter.type) {
    case at_latest:
      return WantedShards{now};
    case at_trim_horizon:
      return WantedShards{horizon};
    case from_trim_horizon:
      return WantedShards{horizon, true};
    case at_timestamp:
      return WantedShards{std::max(horizon, *filter.timestamp)};
    case from_timestamp:
      return WantedShards{std::max(horizon, *filter.timestamp), true};
    case after_shard_id:
      break;
  }
  return WantedShards{stream.created, true};
}

}  // namespace

ShardRecords visible_shards(const Context& context, const api::StreamRecord& stream) {
  ShardRecords shards;
  if (state_at(stream, context.now).status == api::StreamStatus::creating) return shards;
  for (const api::ShardRecord& shard : stream.shards) shards.push_back(&shard);
  std::ranges::sort(shards, {}, &api::ShardRecord::number);
  return shards;
}

Answer<ShardRecords> filtered_shards(const Context& context, const api::StreamRecord& stream,
                                     const std::optional<api::ShardFilter>& filter) {
  ShardRecords shards = visible_shards(context, stream);
  if (!filter) return shards;
  if (filter->type == api::ShardFilterType::after_shard_id) {
    if (!filter->shard_id) return lacks("ShardId", filter->type);
    DINETTE_TRY(const std::int64_t after, shard_number(context, stream.name, *filter->shard_id));
    std::erase_if(shards, [&](const auto* shard) { return shard->number <= after; });
    return shards;
  }
  if (filter->type == api::ShardFilterType::at_latest) {
    std::erase_if(shards, [](const auto* shard) { return !is_open(*shard); });
    return shards;
  }
  DINETTE_TRY(const WantedShards wanted, wanted_by(context, stream, *filter));
  std::erase_if(shards, [&](const auto* shard) { return !wanted.has(*shard); });
  return shards;
}

bool list_shards(const ShardRecords& shards, std::int64_t after, std::size_t limit,
                 std::vector<api::Shard>& out) {
  auto next = std::ranges::upper_bound(shards, after, {}, &api::ShardRecord::number);
  for (; next != shards.end() && out.size() < limit; ++next) out.push_back(describe(**next));
  return next != shards.end();
}

}  // namespace dinette::kinesis
