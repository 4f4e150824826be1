#include "kinesis/api/describe_stream.h"

#include <algorithm>
#include <utility>

#include "kinesis/api/limits.h"
#include "kinesis/api/stream_description.h"
#include "kinesis/streams/descriptions.h"
#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/shard_list.h"

namespace dinette::kinesis::ops {

Answer<api::DescribeStreamOutput> describe_stream(const Context& context, api::DescribeStreamInput&& input) {
  DINETTE_TRY(const OpenStream stream, open_stream(context, {input.stream_name, input.stream_arn}));
  const api::StreamRecord& record = stream.record();
  std::int64_t after = before_all_shards;
  if (input.exclusive_start_shard_id) {
    DINETTE_TRY(after, shard_number(context, record.name, *input.exclusive_start_shard_id));
  }
  const auto limit = std::min(static_cast<std::size_t>(input.limit), model::limits::described_shards);
  api::StreamDescription description;
  description.stream_name = record.name;
  description.stream_arn = arn_of(record);
  description.stream_status = state_at(record, context.now).status;
  description.stream_mode_details = {record.mode};
  description.has_more_shards =
      list_shards(visible_shards(context, record), after, limit, description.shards);
  description.retention_period_hours = record.retention_hours;
  description.stream_creation_timestamp = record.created.whole_seconds();
  description.enhanced_monitoring = no_metrics();
  description.encryption_type = api::EncryptionType::none;
  return api::DescribeStreamOutput{std::move(description)};
}

}  // namespace dinette::kinesis::ops
