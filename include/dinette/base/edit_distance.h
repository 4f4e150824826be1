#pragma once

#include <cstddef>
#include <string_view>

namespace dinette::base {

/// Returns how many letters must be added, dropped, changed or swapped with the next one to turn one text
/// into the other, ignoring case. Takes time and memory in proportion to the product of the lengths.
std::size_t edit_distance(std::string_view left, std::string_view right);

}  // namespace dinette::base
