#include "kinesis/api/decrease_stream_retention_period.h"

#include "kinesis/streams/retention_change.h"

namespace dinette::kinesis::ops {

Answer<api::DecreaseStreamRetentionPeriodOutput> decrease_stream_retention_period(
    const Context& context, api::DecreaseStreamRetentionPeriodInput&& input) {
  DINETTE_CHECK(change_retention(context, {input.stream_name, input.stream_arn}, input.retention_period_hours,
                                 RetentionChange::decrease));
  return api::DecreaseStreamRetentionPeriodOutput();
}

}  // namespace dinette::kinesis::ops
