#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace dinette::app {

/// Returns how many letters must be added, dropped or changed to turn one text into the other, ignoring case.
std::size_t edit_distance(std::string_view left, std::string_view right);

/// Returns the candidate that `typed` probably means, or nothing if none is close. Ignores leading dashes.
std::string nearest(std::string_view typed, std::span<const std::string> candidates);

}  // namespace dinette::app
