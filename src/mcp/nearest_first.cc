#include "mcp/nearest_first.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "dinette/base/edit_distance.h"

namespace dinette::mcp {
namespace {

// Of what was given: names of tables have 255 letters at most.
constexpr std::size_t most_compared = 255;

}  // namespace

std::vector<std::string> nearest_first(std::vector<std::string> names, std::string_view given) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (std::string& name : names) {
    const std::string_view compared = std::string_view(name).substr(0, most_compared);
    const std::size_t distance = base::edit_distance(compared, given.substr(0, most_compared));
    ranked.emplace_back(distance, std::move(name));
  }
  std::ranges::sort(ranked);
  std::ranges::transform(ranked, names.begin(), [](auto& one) { return std::move(one.second); });
  return names;
}

}  // namespace dinette::mcp
