#include "dinette/base/ids.h"

#include <random>

#include "dinette/base/ascii.h"

namespace dinette::base {
namespace {

std::mt19937_64 seeded_by_system() {
  std::random_device device;
  std::seed_seq seed{device(), device(), device(), device(), device(), device(), device(), device()};
  return std::mt19937_64(seed);
}

}  // namespace

std::string Ids::uuid() {
  const std::uint64_t halves[2] = {random(), random()};
  std::string text;
  text.reserve(36);
  for (std::size_t digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) text += '-';
    unsigned value = (halves[digit / 16] >> (4 * (digit % 16))) & 0xF;
    if (digit == 12) value = 4;                    // version: random
    if (digit == 16) value = 0x8 | (value & 0x3);  // variant: RFC 4122
    text += lower_hex_digits[value];
  }
  return text;
}

std::uint64_t SystemIds::random() {
  thread_local std::mt19937_64 generator = seeded_by_system();
  return generator();
}

// SplitMix64 (Steele, Lea, Flood 2014): its state is a counter, so threads can share it without a lock.
std::uint64_t SeededIds::random() {
  constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;
  std::uint64_t mixed = state_.fetch_add(golden_ratio, std::memory_order_relaxed) + golden_ratio;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

}  // namespace dinette::base
