#include "kinesis/api/increase_stream_retention_period.h"

#include "kinesis/streams/retention_change.h"

namespace dinette::kinesis::ops {

Answer<api::IncreaseStreamRetentionPeriodOutput> increase_stream_retention_period(
    const Context& context, api::IncreaseStreamRetentionPeriodInput&& input) {
  DINETTE_CHECK(change_retention(context, {input.stream_name, input.stream_arn}, input.retention_period_hours,
                                 RetentionChange::increase));
  return api::IncreaseStreamRetentionPeriodOutput();
}

}  // namespace dinette::kinesis::ops
