#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "dinette/base/clock.h"

namespace dinette::base {

/// Reads a time as ISO 8601 and RFC 3339 write it, with a zone: "2026-01-31T08:15:00Z",
/// "2026-01-31T09:15:00.250+01:00"; seconds may be left out. Digits beyond microseconds are ignored. Returns
/// nothing for other texts and for times that no clock can be set to (earliest_time, latest_time).
std::optional<TimePoint> parse_time(std::string_view text);

/// Reads a duration as ISO 8601 writes it: "PT25H", "P1DT12H30M", "PT0.5S", "-PT1H". Years and months have no
/// fixed length and are not accepted. Returns nothing for other texts and for more than 10,000 years.
std::optional<std::chrono::microseconds> parse_duration(std::string_view text);

/// Returns so many seconds, or nothing for more than 10,000 years.
std::optional<std::chrono::microseconds> duration_of(double seconds);

}  // namespace dinette::base
