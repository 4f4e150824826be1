#include "dynamodb/api/disable_kinesis_streaming_destination.h"

#include <optional>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/deliveries/destination_changes.h"
#include "dynamodb/deliveries/destination_log.h"
#include "dynamodb/tables/kinesis_destinations.h"
#include "dynamodb/tables/table_state.h"

// docs/service/kinesis.md sections 1 and 2.
namespace dinette::dynamodb::ops {
namespace {

Answer<api::KinesisDestination*> find_to_disable(api::TableRecord& record, const std::string& stream_arn,
                                                 codec::Timestamp now) {
  using api::DestinationStatus;
  api::KinesisDestination* const destination = find_destination(record, stream_arn);
  const bool deleting = state_at(record, now).status == api::TableStatus::deleting;
  if (destination && !deleting) {
    const DestinationStatus status = status_at(*destination, now);
    if (status == DestinationStatus::active || status == DestinationStatus::disabling) return destination;
  }
  return not_in_valid_state("KinesisStreamingDestination must be ACTIVE to perform DISABLE operation.");
}

}  // namespace

Answer<api::DisableKinesisStreamingDestinationOutput> disable_kinesis_streaming_destination(
    const Context& context, api::DisableKinesisStreamingDestinationInput&& input) {
  if (input.enable_kinesis_streaming_configuration)
    return validation("Stream cannot be disabled using EnableKinesisStreamingConfiguration parameters");
  DINETTE_TRY(const OpenTable table, open_created(context, input.table_name));
  const auto disable = [&](api::TableRecord& record) -> Answer<std::optional<api::DestinationLog>> {
    DINETTE_TRY(api::KinesisDestination* const destination,
                find_to_disable(record, input.stream_arn, context.now));
    if (destination->status == api::DestinationStatus::disabling) return std::optional<api::DestinationLog>();
    destination->status = api::DestinationStatus::disabling;
    destination->begun = context.now;
    destination->until = destination->begun + context.settings.state_delay;
    api::DestinationLog ended = new_log(record, *destination);
    ended.ended = true;
    return std::optional(std::move(ended));
  };
  DINETTE_CHECK(change_destinations(context, table, disable));
  return api::DisableKinesisStreamingDestinationOutput{
      table.table->name, std::move(input.stream_arn), api::DestinationStatus::disabling, {}};
}

}  // namespace dinette::dynamodb::ops
