#pragma once

#include <span>
#include <string>
#include <string_view>

namespace dinette::app {

/// Returns the candidate that `typed` probably means, or nothing if none is close. Ignores leading dashes.
std::string nearest(std::string_view typed, std::span<const std::string> candidates);

}  // namespace dinette::app
