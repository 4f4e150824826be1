#pragma once

#include <chrono>

#include "dinette/base/clock.h"

#include "lambda/api/enums.h"
#include "lambda/api/mapping_record.h"

namespace dinette::lambda {

/// The state of a mapping at a moment. What is under way ends by the clock alone.
struct StateAtMoment {
  api::MappingState state;
  bool is_busy = false;  ///< it cannot be changed now
  bool is_gone = false;  ///< its deletion is over
};
StateAtMoment state_at(const api::MappingRecord& record, base::TimePoint now);

/// Returns true if a mapping is on its way out, also when that is over.
bool is_deleting(const api::MappingRecord& record);

/// Notes that something is under way that takes `lasts`, zero or more.
void begin_transition(api::MappingRecord& record, api::MappingState state, base::TimePoint now,
                      std::chrono::milliseconds lasts);

}  // namespace dinette::lambda
