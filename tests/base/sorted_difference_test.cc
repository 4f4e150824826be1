#include "dinette/base/sorted_difference.h"

#include <cstddef>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::base::sorted_difference_test {
namespace {

using Numbers = std::vector<int>;

/// Counts comparisons.
struct Counted {
  static inline std::size_t comparisons = 0;
  int number = 0;
  friend bool operator<(const Counted& a, const Counted& b) {
    ++comparisons;
    return a.number < b.number;
  }
};

}  // namespace

TEST_CASE("sorted_difference returns the elements that the others lack") {
  CHECK(sorted_difference(Numbers{1, 2, 3}, Numbers{}) == Numbers{1, 2, 3});
  CHECK(sorted_difference(Numbers{}, Numbers{1, 2}).empty());
  CHECK(sorted_difference(Numbers{1, 2, 3, 5}, Numbers{0, 2, 3, 4, 9}) == Numbers{1, 5});
  CHECK(sorted_difference(Numbers{1, 2}, Numbers{1, 2}).empty());
}

TEST_CASE("sorted_difference compares a short list with only a few of many others") {
  const std::vector<Counted> others(100'000, Counted{1});
  Counted::comparisons = 0;
  CHECK(sorted_difference({Counted{2}}, others).size() == 1);
  CHECK(Counted::comparisons < 50);
}

}  // namespace dinette::base::sorted_difference_test
