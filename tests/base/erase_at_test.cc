#include "dinette/base/erase_at.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <catch2/catch.hpp>

namespace dinette::base::erase_at_test {
namespace {

std::vector<int> left(int count, const std::vector<std::size_t>& positions) {
  std::vector<int> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  erase_at(numbers, positions);
  return numbers;
}

/// Counts moves.
struct Counted {
  static inline std::size_t moves = 0;
  std::size_t number = 0;
  explicit Counted(std::size_t its_number) : number(its_number) {}
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  Counted(Counted&& other) noexcept : number(other.number) { ++moves; }
  Counted& operator=(Counted&& other) noexcept {
    number = other.number;
    ++moves;
    return *this;
  }
  ~Counted() = default;
};

}  // namespace

TEST_CASE("erase_at keeps the other elements, in order") {
  CHECK(left(5, {}) == std::vector{0, 1, 2, 3, 4});
  CHECK(left(5, {0}) == std::vector{1, 2, 3, 4});
  CHECK(left(5, {4}) == std::vector{0, 1, 2, 3});
  CHECK(left(5, {1, 2}) == std::vector{0, 3, 4});
  CHECK(left(6, {0, 2, 5}) == std::vector{1, 3, 4});
  CHECK(left(3, {0, 1, 2}).empty());
}

TEST_CASE("erase_at moves each element at most once") {
  constexpr std::size_t count = 10'000;
  std::vector<Counted> elements;
  elements.reserve(count);
  for (std::size_t i = 0; i < count; ++i) elements.emplace_back(i);
  std::vector<std::size_t> positions(650);
  std::iota(positions.begin(), positions.end(), std::size_t{0});
  Counted::moves = 0;
  erase_at(elements, positions);
  CHECK(elements.size() == count - positions.size());
  CHECK(elements.front().number == positions.size());
  CHECK(Counted::moves <= count);
}

}  // namespace dinette::base::erase_at_test
