#include "lambda/mappings/mapping_state.h"

#include "lambda/api/mapping_transition.h"

// docs/service/triggers.md section 1.2.
namespace dinette::lambda {

StateAtMoment state_at(const api::MappingRecord& record, base::TimePoint now) {
  using enum api::MappingState;
  if (record.transition) {
    const api::MappingTransition& transition = *record.transition;
    const aws::Timestamp moment(now);
    // A clock that shows a time before the beginning was set back: then it counts as over.
    const bool is_busy = moment >= transition.begun && moment < transition.until;
    if (transition.state == deleting) return {deleting, true, !is_busy};
    if (is_busy) return {transition.state, true};
  }
  return {record.enabled ? enabled : disabled};
}

bool is_deleting(const api::MappingRecord& record) {
  return record.transition && record.transition->state == api::MappingState::deleting;
}

void begin_transition(api::MappingRecord& record, api::MappingState state, base::TimePoint now,
                      std::chrono::milliseconds lasts) {
  record.last_modified = aws::Timestamp(now);
  record.transition = api::MappingTransition{state, record.last_modified, record.last_modified + lasts};
}

}  // namespace dinette::lambda
