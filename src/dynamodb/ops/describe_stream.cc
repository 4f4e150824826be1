#include "dynamodb/api/describe_stream.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/sequence_number_range.h"
#include "dynamodb/api/shard.h"
#include "dynamodb/api/shard_filter.h"
#include "dynamodb/api/stream_description.h"
#include "dynamodb/streams/open_stream.h"
#include "dynamodb/streams/stream_entry.h"
#include "dynamodb/tables/table_state.h"

// docs/service/streams.md section 3.
namespace dinette::dynamodb::ops {
namespace {

api::Shard describe(const api::ShardEntry& shard) {
  return {shard.shard_id,
          api::SequenceNumberRange{shard.starting_sequence_number, shard.ending_sequence_number},
          shard.parent_shard_id};
}

Answer<void> check_filter(const api::ShardFilter& filter) {
  if (filter.type && filter.shard_id) return {};
  return validation("ShardFilter must have both Type and ShardId");  // the service's sentence is not known
}

/// The shards that come after a place in the order of their ids, one more than the page has if there are
/// more.
std::vector<api::Shard> shards_after(const api::StreamEntry& stream, std::string_view after,
                                     const std::string* parent, std::size_t most) {
  std::vector<api::Shard> shards;
  for (const api::ShardEntry& shard : stream.shards) {
    if (shard.shard_id <= after || (parent && shard.parent_shard_id != *parent)) continue;
    shards.push_back(describe(shard));
    if (shards.size() == most) break;
  }
  return shards;
}

}  // namespace

Answer<api::DescribeStreamOutput> describe_stream(const Context& context, api::DescribeStreamInput&& input) {
  DINETTE_TRY(const std::string key, check_stream_arn(input.stream_arn));
  DINETTE_STORED(const store::View view, context.store.view());
  DINETTE_TRY(const api::StreamEntry stream, open_stream(view, input.stream_arn, key));
  const std::string* parent = nullptr;
  if (input.shard_filter) {
    DINETTE_CHECK(check_filter(*input.shard_filter));
    parent = &*input.shard_filter->shard_id;
    DINETTE_TRY([[maybe_unused]] const api::ShardEntry* const known, find_shard(stream, *parent));
  }

  api::StreamDescription description;
  description.stream_arn = stream.stream_arn;
  description.stream_label = stream.label;
  description.stream_status = status_at(stream, context.now);
  description.stream_view_type = stream.view_type;
  description.creation_request_date_time = stream.created;
  description.table_name = stream.table_name;
  description.key_schema = stream.key_schema;
  const auto limit = static_cast<std::size_t>(input.limit);
  auto shards = shards_after(stream, input.exclusive_start_shard_id.value_or(""), parent, limit + 1);
  if (shards.size() > limit) {
    shards.pop_back();
    description.last_evaluated_shard_id = shards.back().shard_id;
  }
  description.shards = std::move(shards);
  return api::DescribeStreamOutput{std::move(description)};
}

}  // namespace dinette::dynamodb::ops
