#include "kinesis/api/describe_stream_summary.h"

#include <utility>

#include "kinesis/api/stream_description_summary.h"
#include "kinesis/streams/descriptions.h"
#include "kinesis/streams/open_stream.h"
#include "kinesis/streams/shard_list.h"

namespace dinette::kinesis::ops {

Answer<api::DescribeStreamSummaryOutput> describe_stream_summary(const Context& context,
                                                                 api::DescribeStreamSummaryInput&& input) {
  DINETTE_TRY(const OpenStream stream, open_stream(context, {input.stream_name, input.stream_arn}));
  const api::StreamRecord& record = stream.record();
  api::StreamDescriptionSummary summary;
  summary.stream_name = record.name;
  summary.stream_arn = arn_of(record);
  summary.stream_status = state_at(record, context.now).status;
  summary.stream_mode_details = {record.mode};
  summary.retention_period_hours = record.retention_hours;
  summary.stream_creation_timestamp = record.created.whole_seconds();
  summary.enhanced_monitoring = no_metrics();
  summary.encryption_type = api::EncryptionType::none;
  const bool creating = summary.stream_status == api::StreamStatus::creating;
  summary.open_shard_count = creating ? 0 : static_cast<std::int32_t>(stream.schema().open_shards().size());
  summary.max_record_size_in_ki_b = record.max_record_kib;
  return api::DescribeStreamSummaryOutput{std::move(summary)};
}

}  // namespace dinette::kinesis::ops
