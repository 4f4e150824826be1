#include "dynamodb/tables/kinesis_destinations.h"

#include <algorithm>
#include <cstdint>

#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

using api::DestinationStatus;
using api::KinesisDestination;

template <class IsIt>
KinesisDestination* first_destination(api::TableRecord& record, IsIt is_it) {
  if (!record.kinesis_destinations) return nullptr;
  const auto found = std::ranges::find_if(*record.kinesis_destinations, is_it);
  return found == record.kinesis_destinations->end() ? nullptr : &*found;
}

}  // namespace

DestinationStatus status_at(const KinesisDestination& destination, codec::Timestamp now) {
  const bool updated = destination.status == DestinationStatus::updating && !is_changing(destination, now);
  return updated ? DestinationStatus::active : destination.status;
}

bool is_changing(const KinesisDestination& destination, codec::Timestamp now) {
  return is_during(now, destination.begun, destination.until);
}

bool is_live(const KinesisDestination& destination) {
  return destination.status != DestinationStatus::disabled &&
         destination.status != DestinationStatus::enable_failed;
}

bool is_recording(const KinesisDestination& destination) {
  return destination.log_id && destination.status != DestinationStatus::disabling;
}

std::optional<store::StreamId> log_of(const KinesisDestination& destination) {
  if (!destination.log_id) return std::nullopt;
  return store::StreamId{static_cast<std::uint64_t>(*destination.log_id)};
}

KinesisDestination* find_destination(api::TableRecord& record, std::string_view stream_arn) {
  return first_destination(record,
                           [&](const KinesisDestination& one) { return one.stream_arn == stream_arn; });
}

KinesisDestination* find_destination(api::TableRecord& record, store::StreamId log) {
  return first_destination(record, [&](const KinesisDestination& one) { return log_of(one) == log; });
}

std::vector<api::KinesisDataStreamDestination> describe_destinations(const api::TableRecord& record,
                                                                     codec::Timestamp now) {
  std::vector<api::KinesisDataStreamDestination> described;
  if (!record.kinesis_destinations) return described;
  const bool deleting = state_at(record, now).status == api::TableStatus::deleting;
  for (const KinesisDestination& destination : *record.kinesis_destinations) {
    const DestinationStatus status = status_at(destination, now);
    const bool ends = deleting && status == DestinationStatus::active;
    described.push_back({destination.stream_arn, ends ? DestinationStatus::updating : status,
                         destination.description, destination.precision});
  }
  return described;
}

}  // namespace dinette::dynamodb
