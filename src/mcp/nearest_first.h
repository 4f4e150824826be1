#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dinette::mcp {

/// Sorts names by how many letters they differ from what was given, the nearest first; of equally near ones
/// the alphabetically first.
std::vector<std::string> nearest_first(std::vector<std::string> names, std::string_view given);

}  // namespace dinette::mcp
