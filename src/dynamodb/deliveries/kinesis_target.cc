#include "dynamodb/deliveries/kinesis_target.h"

#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/log.h"

#include "dynamodb/deliveries/destination_log.h"

namespace dinette::dynamodb {
namespace {

using deliveries::Verdict;

void warn_of_loss(const api::DestinationLog& log, const deliveries::Batch& batch, std::string_view reason) {
  base::log(base::LogLevel::warn, "changes were not delivered to a Kinesis stream",
            {{"table", log.table_name},
             {"stream", log.stream_arn},
             {"changes", batch.records.size()},
             {"reason", reason}});
}

std::vector<KinesisStreams::Record> records_in(const deliveries::Batch& batch) {
  std::vector<KinesisStreams::Record> records;
  records.reserve(batch.records.size());
  for (const deliveries::Record& record : batch.records) records.push_back({record.key, record.payload});
  return records;
}

}  // namespace

Verdict KinesisTarget::deliver(const deliveries::Batch& batch, const std::stop_token& stop) {
  using Put = KinesisStreams::Put;
  const auto records = records_in(batch);
  auto result = place_.streams.put(place_.world, place_.store.name_space(), log_.stream_arn, records, stop);
  switch (result.put) {
    case Put::done:
      return {};
    case Put::refused:
      return {.kind = Verdict::Kind::failed, .reason = std::move(result.reason)};
    case Put::no_stream:
      // What was disabled, or deleted, does not wait for a new stream of that name.
      if (const auto ended = has_ended(); ended && *ended) {
        warn_of_loss(log_, batch, result.reason);
        return {};
      }
      break;
    case Put::unavailable:
      break;
  }
  return {.kind = Verdict::Kind::unavailable, .reason = std::move(result.reason)};
}

void KinesisTarget::discard(const deliveries::Batch& batch, deliveries::Discard why) {
  warn_of_loss(log_, batch, why == deliveries::Discard::too_old ? "too old" : "refused");
}

kv::Result<bool> KinesisTarget::has_ended() const {
  DINETTE_TRY(const store::View view, place_.store.view());
  DINETTE_TRY(const auto log, read_entry<api::DestinationLog>(view, key_of(log_)));
  return !log || log->ended;
}

}  // namespace dinette::dynamodb
