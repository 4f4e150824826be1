#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/store/row.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/kinesis_data_stream_destination.h"
#include "dynamodb/api/kinesis_destination.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/codec/inputs.h"

/// The Kinesis streams that get the changes of a table, as its record has them: one that is live, at most,
/// and those that are DISABLED or ENABLE_FAILED; each stream once, the newest first (docs/service/kinesis.md
/// section 1).
namespace dinette::dynamodb {

/// Returns the status at a moment. UPDATING ends by the clock alone; ENABLING and DISABLING do not end before
/// the delivery has done its part (deliveries/destination_lane.h).
api::DestinationStatus status_at(const api::KinesisDestination& destination, codec::Timestamp now);

/// Returns true while the clock alone keeps the destination in its transition.
bool is_changing(const api::KinesisDestination& destination, codec::Timestamp now);

/// Returns true unless it is DISABLED or ENABLE_FAILED.
bool is_live(const api::KinesisDestination& destination);

/// Returns true if writes record changes for it.
bool is_recording(const api::KinesisDestination& destination);

/// Returns where changes are recorded, or still to be delivered from; nothing when that is over.
std::optional<store::StreamId> log_of(const api::KinesisDestination& destination);

/// Return null if there is none.
api::KinesisDestination* find_destination(api::TableRecord& record, std::string_view stream_arn);
api::KinesisDestination* find_destination(api::TableRecord& record, store::StreamId log);

/// Returns how DescribeKinesisStreamingDestination shows them.
std::vector<api::KinesisDataStreamDestination> describe_destinations(const api::TableRecord& record,
                                                                     codec::Timestamp now);

}  // namespace dinette::dynamodb
