#pragma once

#include <string>

#include "dinette/base/clock.h"

namespace dinette::base {

/// Returns "2026-01-31T08:15:00.250Z", to the millisecond.
std::string format_time(TimePoint moment);

}  // namespace dinette::base
