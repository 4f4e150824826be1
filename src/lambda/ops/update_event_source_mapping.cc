#include "lambda/api/update_event_source_mapping.h"

#include <string>

#include "lambda/api/mapping_record.h"
#include "lambda/api/mapping_transition.h"
#include "lambda/mappings/description.h"
#include "lambda/mappings/open_mapping.h"
#include "lambda/mappings/settings.h"
#include "lambda/request/names.h"

// docs/service/triggers.md section 1.
namespace dinette::lambda::ops {
namespace {

using UpdateInput = api::UpdateEventSourceMappingInput;

api::MappingState state_during(const UpdateInput& input) {
  if (!input.enabled) return api::MappingState::updating;
  return *input.enabled ? api::MappingState::enabling : api::MappingState::disabling;
}

/// May run more than once.
Answer<void> apply_update(const Context& context, UpdateInput input, api::MappingRecord& mapping) {
  if (input.function_name)
    mapping.function_arn = arn_of(*read_function_name(*input.function_name), mapping.account, mapping.region);
  take_settings(input, mapping);
  DINETTE_CHECK(check_settings(mapping));
  begin_transition(mapping, state_during(input), context.now, context.state_delay);
  return {};
}

Answer<void> check_update(const UpdateInput& input) {
  if (input.function_name) DINETTE_CHECK(check_function_name(*input.function_name));
  DINETTE_CHECK(check_common_other_members(input));
  return check_destinations(input.destination_config);
}

}  // namespace

Answer<api::UpdateEventSourceMappingOutput> update_event_source_mapping(
    const Context& context, api::UpdateEventSourceMappingInput&& input) {
  // A mapping that does not exist wins over what else is wrong.
  const auto edit = [&](api::MappingRecord& mapping) -> Answer<void> {
    DINETTE_CHECK(check_update(input));
    return apply_update(context, input, mapping);
  };
  DINETTE_TRY(const api::MappingRecord mapping, change_mapping(context, input.uuid, "update", edit));
  announce_change(context, mapping.uuid);
  return describe_change(mapping);
}

}  // namespace dinette::lambda::ops
