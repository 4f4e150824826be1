#pragma once

#include <chrono>
#include <cstdint>

#include "dinette/base/clock.h"

namespace dinette::dynamodb::throttling {

/// Returns the minute of a moment, counted from 1970.
inline std::int64_t minute_of(base::TimePoint moment) {
  return std::chrono::floor<std::chrono::minutes>(moment).time_since_epoch().count();
}

}  // namespace dinette::dynamodb::throttling
