#include "lambda/api/create_event_source_mapping.h"

#include <string>
#include <utility>
#include <vector>

#include "lambda/api/mapping_progress.h"
#include "lambda/api/mapping_record.h"
#include "lambda/api/mapping_transition.h"
#include "lambda/api/window_progress.h"
#include "lambda/mappings/description.h"
#include "lambda/mappings/first_progress.h"
#include "lambda/mappings/kept_mappings.h"
#include "lambda/mappings/open_mapping.h"
#include "lambda/mappings/settings.h"
#include "lambda/request/names.h"

// docs/service/triggers.md section 1.
namespace dinette::lambda::ops {
namespace {

using CreateInput = api::CreateEventSourceMappingInput;

Answer<SourceKind> source_of(const CreateInput& input) {
  const auto kind = kind_of_source(input.event_source_arn.value_or(""));
  if (!kind) return invalid_parameter("Unrecognized event source.");
  return *kind;
}

Answer<void> check_other_members_of(const CreateInput& input) {
  DINETTE_CHECK(
      check_other_members({{"Topics", input.topics.has_value()},
                           {"Queues", input.queues.has_value()},
                           {"SelfManagedEventSource", input.self_managed_event_source.has_value()}}));
  return check_common_other_members(input);
}

Answer<void> check_position(const Context& context, SourceKind kind, const CreateInput& input) {
  if (!input.starting_position) {
    return invalid_parameter(
        "1 validation error detected: Value null at 'startingPosition' failed to satisfy constraint: Member "
        "must not be null.");
  }
  const std::optional<aws::Timestamp>& moment = input.starting_position_timestamp;
  if (*input.starting_position != api::StartingPosition::at_timestamp) {
    if (!moment) return {};
    return invalid_parameter("Timestamp only valid with StartingPosition AT_TIMESTAMP");
  }
  if (kind == SourceKind::dynamodb_stream)
    return invalid_parameter("Unsupported starting position for arn type: " + *input.event_source_arn);
  if (!moment) return invalid_parameter("Need to specify a timestamp");
  if (moment->time() > context.now)
    return invalid_parameter("StartingPositionTimestamp must not be in the future");
  return {};
}

api::MappingRecord new_mapping(const Context& context, CreateInput& input) {
  api::MappingRecord mapping = usual_mapping();
  mapping.uuid = context.store.ids().uuid();
  mapping.account = context.account;
  mapping.region = context.region;
  mapping.function_arn = arn_of(*read_function_name(input.function_name), context.account, context.region);
  mapping.event_source_arn = *std::move(input.event_source_arn);
  mapping.starting_position = *input.starting_position;
  mapping.starting_position_timestamp = input.starting_position_timestamp;
  if (input.tags && !input.tags->empty()) mapping.tags = std::move(input.tags);
  take_settings(input, mapping);
  begin_transition(mapping, api::MappingState::creating, context.now, context.state_delay);
  return mapping;
}

}  // namespace

Answer<api::CreateEventSourceMappingOutput> create_event_source_mapping(
    const Context& context, api::CreateEventSourceMappingInput&& input) {
  DINETTE_CHECK(check_function_name(input.function_name));
  DINETTE_TRY(const SourceKind kind, source_of(input));
  DINETTE_CHECK(check_other_members_of(input));
  DINETTE_CHECK(check_position(context, kind, input));
  DINETTE_CHECK(check_destinations(input.destination_config));
  const api::MappingRecord mapping = new_mapping(context, input);
  DINETTE_CHECK(check_settings(mapping));
  DINETTE_TRY(const std::vector<api::MappingProgress> progress, first_progress(context, mapping));
  DINETTE_LAMBDA_STORED(const auto added, KeptMappings(context.store).add(mapping, progress));
  if (added.outcome != KeptMappings::Outcome::done) return already_mapped(mapping, added.other);
  announce_change(context, mapping.uuid);
  return describe_change(mapping);
}

}  // namespace dinette::lambda::ops
