#include "lambda/mappings/description.h"

#include <chrono>
#include <string>

#include "dinette/aws/region.h"

#include "lambda/api/destination.h"
#include "lambda/api/destination_config.h"
#include "lambda/api/filter.h"
#include "lambda/api/filter_criteria.h"
#include "lambda/api/mapping_transition.h"
#include "lambda/api/metrics_config.h"

// docs/service/triggers.md section 1.1.
namespace dinette::lambda {
namespace {

constexpr std::string_view reason_of_changes = "User action";

aws::Timestamp whole_minutes(aws::Timestamp time) {
  return base::TimePoint(std::chrono::floor<std::chrono::minutes>(time.time()));
}

std::optional<api::FilterCriteria> criteria_of(const api::MappingRecord& mapping) {
  if (mapping.filter_patterns.empty()) return std::nullopt;
  std::vector<api::Filter> filters;
  for (const std::string& pattern : mapping.filter_patterns) filters.push_back({pattern});
  return api::FilterCriteria{std::move(filters)};
}

std::optional<api::MetricsConfig> metrics_of(const api::MappingRecord& mapping) {
  if (!mapping.metrics) return std::nullopt;
  return api::MetricsConfig{mapping.metrics};
}

}  // namespace

std::string arn_of(const api::MappingRecord& mapping) {
  return "arn:" + std::string(aws::partition_of(mapping.region)) + ":lambda:" + mapping.region + ":" +
         mapping.account + ":event-source-mapping:" + mapping.uuid;
}

api::EventSourceMappingConfiguration describe(const api::MappingRecord& mapping, const StateAtMoment& state) {
  api::EventSourceMappingConfiguration description;
  description.uuid = mapping.uuid;
  description.starting_position = mapping.starting_position;
  description.starting_position_timestamp = mapping.starting_position_timestamp;
  description.batch_size = mapping.batch_size;
  description.maximum_batching_window_in_seconds = mapping.maximum_batching_window_in_seconds;
  description.parallelization_factor = mapping.parallelization_factor;
  description.event_source_arn = mapping.event_source_arn;
  description.filter_criteria = criteria_of(mapping);
  description.function_arn = mapping.function_arn;
  description.last_modified = state.is_busy ? mapping.last_modified : whole_minutes(mapping.last_modified);
  description.last_processing_result = mapping.last_processing_result;
  description.state = state.state;
  description.state_transition_reason = reason_of_changes;
  description.destination_config.on_failure = api::Destination{mapping.on_failure};
  description.maximum_record_age_in_seconds = mapping.maximum_record_age_in_seconds;
  description.bisect_batch_on_function_error = mapping.bisect_batch_on_function_error;
  description.maximum_retry_attempts = mapping.maximum_retry_attempts;
  description.tumbling_window_in_seconds = mapping.tumbling_window_in_seconds;
  description.function_response_types = mapping.function_response_types;
  description.kms_key_arn = mapping.kms_key_arn;
  description.event_source_mapping_arn = arn_of(mapping);
  description.metrics_config = metrics_of(mapping);
  return description;
}

api::EventSourceMappingConfiguration describe_change(const api::MappingRecord& mapping) {
  return describe(mapping, {mapping.transition->state, true});
}

}  // namespace dinette::lambda
