#include "dinette/base/ids.h"

#include <random>

#include "dinette/base/ascii.h"

namespace dinette::base {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014): the state is a counter.
constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;

std::uint64_t mixed(std::uint64_t state) {
  state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9;
  state = (state ^ (state >> 27)) * 0x94D049BB133111EB;
  return state ^ (state >> 31);
}

std::uint64_t seeded_by_system() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
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
  thread_local std::uint64_t state = seeded_by_system();
  return mixed(state += golden_ratio);
}

std::uint64_t SeededIds::random() {
  return mixed(state_.fetch_add(golden_ratio, std::memory_order_relaxed) + golden_ratio);
}

}  // namespace dinette::base
