#pragma once

#include <string>
#include <string_view>

#include "dinette/lambda/triggers.h"

#include "lambda/api/mapping_record.h"
#include "lambda/api/trigger_record.h"

namespace dinette::lambda {

/// Returns the settings of the mapping of a trigger, without its UUID and its stream.
api::MappingRecord settings_of(const Trigger& trigger, std::string_view account, std::string_view region);

/// Returns the trigger that a kept one was made of, except for the words of a command.
Trigger trigger_of(const api::TriggerRecord& record);
/// The same of a mapping that the API made, which has no name.
Trigger trigger_of(const api::MappingRecord& mapping);

}  // namespace dinette::lambda
