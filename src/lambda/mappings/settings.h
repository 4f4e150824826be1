#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lambda/api/destination.h"
#include "lambda/api/destination_config.h"
#include "lambda/api/filter.h"
#include "lambda/api/filter_criteria.h"
#include "lambda/api/mapping_record.h"
#include "lambda/api/metrics_config.h"
#include "lambda/api/other_configuration.h"
#include "lambda/request/context.h"

/// What CreateEventSourceMapping and UpdateEventSourceMapping have in common: the settings of a mapping.
/// docs/service/triggers.md sections 1.1 and 1.3.
namespace dinette::lambda {

/// Returns the settings of a mapping that gives none.
api::MappingRecord usual_mapping();

/// A member that only mappings of other sources than streams have.
struct OtherMember {
  std::string_view name;
  bool is_given;
};

/// Refuses the first that is given.
Answer<void> check_other_members(std::initializer_list<OtherMember> members);

/// Takes over what is given.
void take(const std::optional<api::FilterCriteria>& criteria, api::MappingRecord& mapping);
void take(const std::optional<api::DestinationConfig>& destinations, api::MappingRecord& mapping);
void take(const std::optional<api::MetricsConfig>& metrics, api::MappingRecord& mapping);

/// Returns what is wrong with destinations.
Answer<void> check_destinations(const std::optional<api::DestinationConfig>& destinations);

/// Returns what is wrong with a function's name beyond its pattern.
Answer<void> check_function_name(std::string_view name);

/// Returns what is wrong with the settings of a mapping beyond the model's constraints.
Answer<void> check_settings(const api::MappingRecord& mapping);

template <class Value>
void take_value(std::optional<Value>& given, Value& kept) {
  if (given) kept = *std::move(given);
}

/// Takes over what `input`, of either operation, gives. What it does not give stays; what it gives empty is
/// cleared.
template <class Input>
void take_settings(Input& input, api::MappingRecord& mapping) {
  take_value(input.enabled, mapping.enabled);
  take_value(input.batch_size, mapping.batch_size);
  take_value(input.maximum_batching_window_in_seconds, mapping.maximum_batching_window_in_seconds);
  take_value(input.parallelization_factor, mapping.parallelization_factor);
  take_value(input.maximum_record_age_in_seconds, mapping.maximum_record_age_in_seconds);
  take_value(input.bisect_batch_on_function_error, mapping.bisect_batch_on_function_error);
  take_value(input.maximum_retry_attempts, mapping.maximum_retry_attempts);
  take_value(input.tumbling_window_in_seconds, mapping.tumbling_window_in_seconds);
  take_value(input.function_response_types, mapping.function_response_types);
  if (input.kms_key_arn) mapping.kms_key_arn = input.kms_key_arn->empty() ? std::nullopt : input.kms_key_arn;
  take(input.filter_criteria, mapping);
  take(input.destination_config, mapping);
  take(input.metrics_config, mapping);
}

/// Refuses the members of other sources that both operations have.
template <class Input>
Answer<void> check_common_other_members(const Input& input) {
  const bool has_access = input.source_access_configurations && !input.source_access_configurations->empty();
  return check_other_members(
      {{"SourceAccessConfigurations", has_access},
       {"AmazonManagedKafkaEventSourceConfig", input.amazon_managed_kafka_event_source_config.has_value()},
       {"SelfManagedKafkaEventSourceConfig", input.self_managed_kafka_event_source_config.has_value()},
       {"ScalingConfig", input.scaling_config.has_value()},
       {"DocumentDBEventSourceConfig", input.document_db_event_source_config.has_value()},
       {"LoggingConfig", input.logging_config.has_value()},
       {"ProvisionedPollerConfig", input.provisioned_poller_config.has_value()}});
}

}  // namespace dinette::lambda
