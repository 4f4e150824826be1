#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/deliveries/delivery.h"

/// The events with which functions are called (docs/service/triggers.md sections 5 and 6).
namespace dinette::lambda {

/// The longest event that a function gets, in bytes.
inline constexpr std::size_t most_event_bytes = 6 << 20;

/// Returns BatchRule::bytes for batches whose events are not longer than that: it leaves room for commas and
/// names, and in tumbling windows for the state.
std::size_t most_batch_bytes(bool keeps_state);

/// Returns the event of a batch. `stream`: the ARN, which only events of tumbling windows have.
std::string event_of(const deliveries::Batch& batch, std::string_view stream);

/// Appends {"start":"2026-09-17T12:50:50Z","end":"2026-09-17T12:51:00Z"}.
void append_window(std::string& json, const deliveries::TumblingWindow& window);

/// Returns "2026-09-17T12:50:50Z".
std::string whole_second(base::TimePoint moment);

}  // namespace dinette::lambda
