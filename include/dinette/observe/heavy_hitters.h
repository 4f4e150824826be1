#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::observe {

/// Finds the names that occur most often among any number of them, in bounded memory: Space-Saving, by
/// Metwally, Agrawal and El Abbadi. Every name that occurs more often than the total count divided by the
/// number of kept names is found. Not thread-safe.
class HeavyHitters {
 public:
  struct Hitter {
    std::string name;
    std::uint64_t count = 0;         ///< the number of occurrences, or more
    std::uint64_t at_most_over = 0;  ///< by how much `count` may be too high
  };

  explicit HeavyHitters(std::size_t kept) : kept_(kept) {}

  void add(std::string_view name);

  /// Returns those with the highest counts, `most` of them at most, in descending order.
  std::vector<Hitter> top(std::size_t most) const;

 private:
  struct Counted {
    std::uint64_t count = 0;
    std::uint64_t at_most_over = 0;
  };

  const std::size_t kept_;
  std::map<std::string, Counted, std::less<>> names_;
};

}  // namespace dinette::observe
