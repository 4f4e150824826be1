#pragma once

#include <string>
#include <string_view>

#include "dinette/aws/json_types.h"
#include "dinette/base/function_ref.h"

#include "lambda/api/mapping_record.h"
#include "lambda/mappings/kept_mappings.h"
#include "lambda/mappings/mapping_state.h"
#include "lambda/request/context.h"

namespace dinette::lambda {

/// A mapping and its state.
struct OpenMapping {
  api::MappingRecord record;
  StateAtMoment state;
};

/// Returns true if a mapping is shown to clients: its deletion ends by the clock, unless what polls it has to
/// end first.
bool is_shown(const Context& context, const StateAtMoment& state);

/// Opens a mapping in any state, or fails with ResourceNotFoundException.
Answer<OpenMapping> open_mapping(const Context& context, std::string_view uuid);

/// The same by its ARN.
Answer<OpenMapping> open_mapping_of_arn(const Context& context, std::string_view arn);

/// Changes the tags of a mapping, in any state. `edit` may run more than once.
Answer<void> change_tags(const Context& context, std::string_view arn,
                         base::FunctionRef<void(aws::Entries<std::string>& tags)> edit);

/// Changes a mapping that is not busy. `edit` may run more than once. `verb`, such as "update", is for the
/// message if it is busy. Returns the mapping as it is then.
Answer<api::MappingRecord> change_mapping(const Context& context, std::string_view uuid,
                                          std::string_view verb,
                                          base::FunctionRef<Answer<void>(api::MappingRecord& mapping)> edit);

/// Lets what polls mappings know of a change that is committed.
inline void announce_change(const Context& context, std::string_view uuid) {
  if (context.mappings_changed) context.mappings_changed(context.world, context.name_space, uuid);
}

/// Returns the error for a mapping whose function and stream another one has.
base::Failure<ApiError> already_mapped(const api::MappingRecord& mapping, std::string_view other_uuid);

}  // namespace dinette::lambda
