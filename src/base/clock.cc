#include "dinette/base/clock.h"

namespace dinette::base {

using std::chrono::microseconds;

TimePoint SystemClock::now() const {
  return std::chrono::time_point_cast<microseconds>(std::chrono::system_clock::now());
}

TimePoint ManualClock::now() const {
  return TimePoint(microseconds(microseconds_.load()));
}

void ManualClock::set(TimePoint moment) {
  microseconds_.store(moment.time_since_epoch().count());
}

void ManualClock::advance(microseconds step) {
  microseconds_.fetch_add(step.count());
}

}  // namespace dinette::base
