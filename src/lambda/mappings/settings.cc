#include "lambda/mappings/settings.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lambda/api/limits.h"
#include "lambda/filters/filter_pattern.h"
#include "lambda/request/names.h"

namespace dinette::lambda {
namespace {

Answer<void> check_filters(const api::MappingRecord& mapping) {
  const std::vector<std::string_view> patterns(mapping.filter_patterns.begin(),
                                               mapping.filter_patterns.end());
  const auto criteria = FilterCriteria::read(patterns);
  if (!criteria && criteria.error() == FilterProblem::too_many)
    return invalid_parameter("FilterCriteria must have no more than " + std::to_string(most_filters) +
                             " filters.");
  // The data of a Kinesis record are matched as the object that they contain (docs/service/triggers.md
  // section 4).
  const bool is_kinesis = kind_of_source(mapping.event_source_arn) == SourceKind::kinesis_stream;
  if (criteria && !(is_kinesis && criteria->have_rules_for("data"))) return {};
  return invalid_parameter(std::string(invalid_filter_message));
}

Answer<void> check_tumbling_window(const api::MappingRecord& mapping) {
  if (mapping.tumbling_window_in_seconds == 0) return {};
  if (mapping.parallelization_factor != 1)
    return invalid_parameter(
        "Parallelization factor must be equal to 1 when tumbling window period is configured");
  if (mapping.filter_patterns.empty()) return {};
  return invalid_parameter("FilterCriteria must be empty when tumbling window period is configured");
}

}  // namespace

api::MappingRecord usual_mapping() {
  api::MappingRecord mapping;
  mapping.enabled = true;
  mapping.batch_size = 100;
  mapping.parallelization_factor = 1;
  mapping.maximum_record_age_in_seconds = -1;
  mapping.maximum_retry_attempts = -1;
  mapping.last_processing_result = "No records processed";
  return mapping;
}

Answer<void> check_other_members(std::initializer_list<OtherMember> members) {
  const auto* const given = std::ranges::find_if(members, &OtherMember::is_given);
  if (given == members.end()) return {};
  return invalid_parameter("Unsupported " + std::string(given->name) +
                           " parameter for given event source mapping type.");
}

void take(const std::optional<api::FilterCriteria>& criteria, api::MappingRecord& mapping) {
  if (!criteria) return;
  mapping.filter_patterns.clear();
  if (!criteria->filters) return;
  for (const api::Filter& filter : *criteria->filters)
    mapping.filter_patterns.push_back(filter.pattern.value_or(""));
}

void take(const std::optional<api::DestinationConfig>& destinations, api::MappingRecord& mapping) {
  if (!destinations) return;
  mapping.on_failure.reset();
  if (!destinations->on_failure) return;
  const std::optional<std::string>& destination = destinations->on_failure->destination;
  if (destination && !destination->empty()) mapping.on_failure = destination;
}

void take(const std::optional<api::MetricsConfig>& metrics, api::MappingRecord& mapping) {
  if (!metrics) return;
  mapping.metrics = metrics->metrics && !metrics->metrics->empty() ? metrics->metrics : std::nullopt;
}

Answer<void> check_destinations(const std::optional<api::DestinationConfig>& destinations) {
  if (!destinations || !destinations->on_success || !destinations->on_success->destination) return {};
  return invalid_parameter("OnSuccess configuration is not supported for event source mappings.");
}

Answer<void> check_function_name(std::string_view name) {
  const bool is_plain = name.find(':') == std::string_view::npos;
  if (!is_plain || name.size() <= model::limits::plain_name_characters) return {};
  return refusal(api::ErrorCode::validation_exception,
                 "1 validation error detected: Value '" + std::string(name) +
                     "' at 'functionName' failed to satisfy constraint: Member must have length less than or "
                     "equal to " +
                     std::to_string(model::limits::plain_name_characters));
}

Answer<void> check_settings(const api::MappingRecord& mapping) {
  const int age = mapping.maximum_record_age_in_seconds;
  if (age != -1 && age < model::limits::least_record_age)
    return invalid_parameter(
        "MaximumRecordAgeInSeconds must be either -1 (forever) or between 60 and 604800 (inclusive)");
  DINETTE_CHECK(check_filters(mapping));
  return check_tumbling_window(mapping);
}

}  // namespace dinette::lambda
