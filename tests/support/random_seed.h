#pragma once

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

/// How often a random test goes round: all of `full`, a tenth of it under a sanitizer, which is many times
/// slower and looks for other things.
constexpr int rounds_of(int full) {
#ifdef DINETTE_SANITIZED
  return full / 10;
#else
  return full;
#endif
}

}  // namespace dinette::test
