#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"

/// The header x-ots-date (tablestore/wire.md section 2).
namespace dinette::tablestore::wire {

/// Reads a date of a client, to the second: a client writes digits after it that mean nothing. Also accepts
/// the three forms of HTTP.
std::optional<base::TimePoint> parse_date(std::string_view text);

/// Returns "2026-01-31T08:15:00.250000Z".
std::string format_date(base::TimePoint moment);

}  // namespace dinette::tablestore::wire
