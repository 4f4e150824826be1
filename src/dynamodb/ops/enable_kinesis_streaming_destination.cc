#include "dynamodb/api/enable_kinesis_streaming_destination.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/deliveries/destination_changes.h"
#include "dynamodb/deliveries/destination_log.h"
#include "dynamodb/tables/kinesis_destinations.h"
#include "dynamodb/tables/table_state.h"

// docs/service/kinesis.md sections 1 and 2.
namespace dinette::dynamodb::ops {
namespace {

/// A table remembers as many destinations, so that its record stays small.
constexpr std::size_t most_destinations = 50;

Answer<void> check_can_enable(const api::TableRecord& record, codec::Timestamp now) {
  const bool deleting = state_at(record, now).status == api::TableStatus::deleting;
  const bool live = record.kinesis_destinations && std::ranges::any_of(*record.kinesis_destinations, is_live);
  if (!deleting && !live) return {};
  return not_in_valid_state(
      "EnableKinesisStreamingDestination must be DISABLED or ENABLE_FAILED to perform ENABLE operation.");
}

/// Returns the place of the stream in the list: that of its former destination, or a new one.
api::KinesisDestination& place_for(api::TableRecord& record, const std::string& stream_arn) {
  if (auto* const former = find_destination(record, stream_arn)) return *former;
  if (!record.kinesis_destinations) record.kinesis_destinations.emplace();
  std::vector<api::KinesisDestination>& all = *record.kinesis_destinations;
  if (all.size() == most_destinations) all.pop_back();
  return *all.emplace(all.begin());
}

}  // namespace

Answer<api::EnableKinesisStreamingDestinationOutput> enable_kinesis_streaming_destination(
    const Context& context, api::EnableKinesisStreamingDestinationInput&& input) {
  DINETTE_TRY(const OpenTable table, open_created(context, input.table_name));
  DINETTE_CHECK(check_can_enable(table.record(), context.now));
  auto wanted =
      input.enable_kinesis_streaming_configuration.value_or(api::EnableKinesisStreamingConfiguration());
  DINETTE_STORED(const store::StreamId log, context.store.new_stream());
  const auto enable = [&](api::TableRecord& record) -> Answer<std::optional<api::DestinationLog>> {
    DINETTE_CHECK(check_can_enable(record, context.now));
    api::KinesisDestination& destination = place_for(record, input.stream_arn);
    destination = {};
    destination.stream_arn = input.stream_arn;
    destination.status = api::DestinationStatus::enabling;
    destination.begun = context.now;
    destination.until = destination.begun + context.settings.state_delay;
    destination.precision = wanted.approximate_creation_date_time_precision;
    destination.log_id = static_cast<std::int64_t>(log);
    return std::optional(new_log(record, destination));
  };
  DINETTE_CHECK(change_destinations(context, table, enable));
  return api::EnableKinesisStreamingDestinationOutput{table.table->name, std::move(input.stream_arn),
                                                      api::DestinationStatus::enabling, std::move(wanted)};
}

}  // namespace dinette::dynamodb::ops
