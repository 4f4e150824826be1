#include "dynamodb/api/update_kinesis_streaming_destination.h"

#include <optional>
#include <string>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/deliveries/destination_changes.h"
#include "dynamodb/tables/kinesis_destinations.h"
#include "dynamodb/tables/table_state.h"

// docs/service/kinesis.md sections 1 and 2.
namespace dinette::dynamodb::ops {
namespace {

using Precision = api::ApproximateCreationDateTimePrecision;

Answer<api::KinesisDestination*> find_to_update(api::TableRecord& record, const std::string& stream_arn,
                                                Precision wanted, codec::Timestamp now) {
  api::KinesisDestination* const destination = find_destination(record, stream_arn);
  if (!destination) {
    return not_in_valid_state("No streaming destination with streamArn: " + stream_arn +
                              " found for table with tableName: " + record.table_name);
  }
  const bool deleting = state_at(record, now).status == api::TableStatus::deleting;
  if (deleting || status_at(*destination, now) != api::DestinationStatus::active) {
    return not_in_valid_state(
        "Kinesis streaming is not in ACTIVE state. Updates are only allowed in ACTIVE state. TableName: " +
        record.table_name + ", kdsArn: " + stream_arn);
  }
  if (destination->precision != wanted) return destination;
  return validation("Invalid Request: Precision is already set to the desired value of " +
                    std::string(to_string(wanted)) + " for tableId: " + record.table_id +
                    ", kdsArn: " + stream_arn);
}

}  // namespace

Answer<api::UpdateKinesisStreamingDestinationOutput> update_kinesis_streaming_destination(
    const Context& context, api::UpdateKinesisStreamingDestinationInput&& input) {
  auto& wanted = input.update_kinesis_streaming_configuration;
  if (!wanted || !wanted->approximate_creation_date_time_precision) {
    return validation(
        "Streaming destination cannot be updated with given parameters: UpdateKinesisStreamingConfiguration "
        "cannot be null or contain only null values");
  }
  DINETTE_TRY(const OpenTable table, open_created(context, input.table_name));
  const Precision precision = *wanted->approximate_creation_date_time_precision;
  const auto update = [&](api::TableRecord& record) -> Answer<std::optional<api::DestinationLog>> {
    DINETTE_TRY(api::KinesisDestination* const destination,
                find_to_update(record, input.stream_arn, precision, context.now));
    destination->status = api::DestinationStatus::updating;
    destination->begun = context.now;
    destination->until = destination->begun + context.settings.state_delay;
    destination->precision = precision;
    return std::optional<api::DestinationLog>();
  };
  DINETTE_CHECK(change_destinations(context, table, update));
  return api::UpdateKinesisStreamingDestinationOutput{table.table->name, std::move(input.stream_arn),
                                                      api::DestinationStatus::updating, std::move(wanted)};
}

}  // namespace dinette::dynamodb::ops
