#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

namespace dinette::test {

/// The seed of a random test: DINETTE_TEST_SEED when it is set, else another one each time. Printed, so that
/// a failing run can be repeated.
inline std::uint64_t random_seed() {
  const char* const given = std::getenv("DINETTE_TEST_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  std::cerr << "DINETTE_TEST_SEED=" << seed << '\n';
  return seed;
}

/// Returns true if a sanitizer is built in, which is many times slower, keeps freed memory, and looks for
/// other things.
#ifdef DINETTE_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// How often a random test goes round: `full`, times DINETTE_TEST_FACTOR where that is set; a tenth of it
/// under a sanitizer. scripts/test long sets the factor.
inline int rounds_of(int full) {
  const char* const given = std::getenv("DINETTE_TEST_FACTOR");
  const int rounds = full * (given != nullptr ? std::max(1, std::atoi(given)) : 1);
  return sanitized ? rounds / 10 : rounds;
}

}  // namespace dinette::test
