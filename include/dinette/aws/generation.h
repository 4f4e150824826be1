#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace dinette::aws {

/// AWS validates the requests of one service with two generations of code, whose messages for some errors
/// differ (docs/service/README.md, "Two generations").
enum class Generation { current, older };

/// Which generation validates the requests of one operation.
struct Layers {
  Generation usual = Generation::current;
  bool both = false;                                ///< the other one does somewhere, or will
  std::span<const std::string_view> other_in = {};  ///< the regions in which it does

  /// `chosen`: for operations with both, whatever the region.
  constexpr Generation in(std::string_view region, std::optional<Generation> chosen = {}) const {
    if (!both) return usual;
    if (chosen) return *chosen;
    if (std::ranges::find(other_in, region) == other_in.end()) return usual;
    return usual == Generation::current ? Generation::older : Generation::current;
  }
};

}  // namespace dinette::aws
