#include "lambda/api/get_event_source_mapping.h"

#include "lambda/api/mapping_transition.h"
#include "lambda/mappings/description.h"
#include "lambda/mappings/open_mapping.h"

namespace dinette::lambda::ops {

Answer<api::GetEventSourceMappingOutput> get_event_source_mapping(const Context& context,
                                                                  api::GetEventSourceMappingInput&& input) {
  DINETTE_TRY(const OpenMapping mapping, open_mapping(context, input.uuid));
  return describe(mapping.record, mapping.state);
}

}  // namespace dinette::lambda::ops
