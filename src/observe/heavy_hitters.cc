#include "dinette/observe/heavy_hitters.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace dinette::observe {

void HeavyHitters::add(std::string_view name) {
  if (const auto known = names_.find(name); known != names_.end()) {
    ++known->second.count;
    return;
  }
  Counted counted{.count = 1};
  if (names_.size() == kept_) {
    const auto rarest =
        std::ranges::min_element(names_, {}, [](const auto& entry) { return entry.second.count; });
    counted = {.count = rarest->second.count + 1, .at_most_over = rarest->second.count};
    names_.erase(rarest);
  }
  names_.emplace(name, counted);
}

std::vector<HeavyHitters::Hitter> HeavyHitters::top(std::size_t most) const {
  std::vector<Hitter> all;
  for (const auto& [name, counted] : names_) all.push_back({name, counted.count, counted.at_most_over});
  std::ranges::stable_sort(all, std::greater<>(), &Hitter::count);
  all.resize(std::min(all.size(), most));
  return all;
}

}  // namespace dinette::observe
