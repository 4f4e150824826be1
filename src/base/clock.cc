#include "dinette/base/clock.h"

#include <algorithm>

namespace dinette::base {

using std::chrono::microseconds;

TimePoint SystemClock::now() const {
  return std::chrono::time_point_cast<microseconds>(std::chrono::system_clock::now());
}

std::optional<microseconds> SystemClock::until(TimePoint moment) const {
  return std::max(moment - now(), microseconds(0));
}

TimePoint ManualClock::now() const {
  return TimePoint(microseconds(microseconds_.load()));
}

std::optional<microseconds> ManualClock::until(TimePoint moment) const {
  return moment <= now() ? std::optional(microseconds(0)) : std::nullopt;
}

void ManualClock::set(TimePoint moment) {
  microseconds_.store(moment.time_since_epoch().count());
}

void ManualClock::advance(microseconds step) {
  microseconds_.fetch_add(step.count());
}

}  // namespace dinette::base
