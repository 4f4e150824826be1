#include "dinette/base/ids.h"

#include <algorithm>
#include <random>
#include <string_view>

#include "dinette/base/ascii.h"

namespace dinette::base {
namespace {

constexpr std::string_view id_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
/// 36^12 is the largest power of 36 within 64 bits.
constexpr std::size_t id_digits_per_draw = 12;

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

RequestId Ids::request_id() {
  RequestId id;
  for (std::size_t start = 0; start < id.size(); start += id_digits_per_draw) {
    std::uint64_t draw = random();
    const std::size_t end = std::min(id.size(), start + id_digits_per_draw);
    for (std::size_t i = start; i < end; ++i) {
      id[i] = id_digits[draw % id_digits.size()];
      draw /= id_digits.size();
    }
  }
  return id;
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
