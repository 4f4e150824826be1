#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace dinette::app {

/// How many letters must be added, dropped or changed to make one text the other; capitals count as small
/// letters.
std::size_t edit_distance(std::string_view left, std::string_view right);

/// The candidate that `typed` was probably meant to be, or nothing when none is near. Dashes in front do not
/// count.
std::string nearest(std::string_view typed, std::span<const std::string> candidates);

}  // namespace dinette::app
