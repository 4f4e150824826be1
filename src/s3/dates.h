#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"

namespace dinette::s3 {

/// Returns a time as headers have it: "Sat, 31 Jan 2026 08:15:00 GMT".
std::string http_date(base::TimePoint moment);

/// Reads that form only.
std::optional<std::chrono::sys_seconds> read_http_date(std::string_view text);

}  // namespace dinette::s3
