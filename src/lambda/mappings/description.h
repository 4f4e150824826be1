#pragma once

#include <string>

#include "dinette/base/clock.h"

#include "lambda/api/event_source_mapping_configuration.h"
#include "lambda/api/mapping_record.h"
#include "lambda/mappings/mapping_state.h"

namespace dinette::lambda {

std::string arn_of(const api::MappingRecord& mapping);

/// Returns a mapping as clients see it.
api::EventSourceMappingConfiguration describe(const api::MappingRecord& mapping, const StateAtMoment& state);

/// Returns it as the answer to the change that has just begun shows it.
api::EventSourceMappingConfiguration describe_change(const api::MappingRecord& mapping);

}  // namespace dinette::lambda
