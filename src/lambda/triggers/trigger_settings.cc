#include "lambda/triggers/trigger_settings.h"

#include <chrono>

#include "lambda/api/mapping_transition.h"
#include "lambda/mappings/settings.h"
#include "lambda/request/names.h"

namespace dinette::lambda {
namespace {

constexpr int no_limit = -1;

struct Position {
  deliveries::StartingPosition of_trigger;
  api::StartingPosition of_mapping;
};
constexpr Position positions[] = {
    {deliveries::StartingPosition::trim_horizon, api::StartingPosition::trim_horizon},
    {deliveries::StartingPosition::latest, api::StartingPosition::latest},
    {deliveries::StartingPosition::at_timestamp, api::StartingPosition::at_timestamp}};

/// The ARN of the function, which for a trigger with a URL or a command is named after the trigger.
std::string function_arn(const Trigger& trigger, std::string_view account, std::string_view region) {
  FunctionName name;
  name.name = trigger.name;
  return arn_of(read_function_name(trigger.function).value_or(name), account, region);
}

}  // namespace

api::MappingRecord settings_of(const Trigger& trigger, std::string_view account, std::string_view region) {
  api::MappingRecord mapping = usual_mapping();
  mapping.account = account;
  mapping.region = region;
  mapping.function_arn = function_arn(trigger, account, region);
  mapping.event_source_arn = trigger.stream;
  mapping.enabled = trigger.enabled;
  for (const Position& position : positions) {
    if (position.of_trigger == trigger.position) mapping.starting_position = position.of_mapping;
  }
  if (trigger.position == deliveries::StartingPosition::at_timestamp)
    mapping.starting_position_timestamp = aws::Timestamp(trigger.position_time);
  mapping.batch_size = static_cast<int>(trigger.batch_size);
  mapping.maximum_batching_window_in_seconds = static_cast<int>(trigger.batching_window.count());
  mapping.parallelization_factor = static_cast<int>(trigger.parallelization);
  mapping.maximum_record_age_in_seconds =
      trigger.record_age ? static_cast<int>(trigger.record_age->count()) : no_limit;
  mapping.maximum_retry_attempts = trigger.retries ? static_cast<int>(*trigger.retries) : no_limit;
  mapping.bisect_batch_on_function_error = trigger.bisects;
  mapping.tumbling_window_in_seconds = static_cast<int>(trigger.tumbling_window.count());
  if (trigger.reports_failures)
    mapping.function_response_types = {api::FunctionResponseType::report_batch_item_failures};
  mapping.filter_patterns = trigger.filters;
  if (!trigger.on_failure.empty()) mapping.on_failure = trigger.on_failure;
  mapping.trigger = trigger.name;
  return mapping;
}

Trigger trigger_of(const api::MappingRecord& mapping) {
  Trigger trigger;
  trigger.name = mapping.trigger.value_or("");
  trigger.stream = mapping.event_source_arn;
  trigger.function = mapping.function_arn;
  trigger.enabled = mapping.enabled;
  for (const Position& position : positions) {
    if (position.of_mapping == mapping.starting_position) trigger.position = position.of_trigger;
  }
  if (mapping.starting_position_timestamp)
    trigger.position_time = mapping.starting_position_timestamp->time();
  trigger.batch_size = static_cast<unsigned>(mapping.batch_size);
  trigger.batching_window = std::chrono::seconds(mapping.maximum_batching_window_in_seconds);
  trigger.parallelization = static_cast<unsigned>(mapping.parallelization_factor);
  if (mapping.maximum_record_age_in_seconds >= 0)
    trigger.record_age = std::chrono::seconds(mapping.maximum_record_age_in_seconds);
  if (mapping.maximum_retry_attempts >= 0)
    trigger.retries = static_cast<unsigned>(mapping.maximum_retry_attempts);
  trigger.bisects = mapping.bisect_batch_on_function_error;
  trigger.tumbling_window = std::chrono::seconds(mapping.tumbling_window_in_seconds);
  trigger.reports_failures = !mapping.function_response_types.empty();
  trigger.on_failure = mapping.on_failure.value_or("");
  trigger.filters = mapping.filter_patterns;
  return trigger;
}

Trigger trigger_of(const api::TriggerRecord& record) {
  Trigger trigger = trigger_of(record.settings);
  trigger.name = record.name;
  trigger.table = record.table.value_or("");
  if (record.table) trigger.stream.clear();
  trigger.url = record.url.value_or("");
  if (record.url || record.is_command) trigger.function.clear();
  return trigger;
}

}  // namespace dinette::lambda
