#include "dinette/base/ids.h"

#include <algorithm>
#include <array>
#include <random>
#include <string_view>
#include <tuple>

#include "dinette/base/ascii.h"

namespace dinette::base {
namespace {

constexpr std::string_view id_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::size_t id_pairs = id_digits.size() * id_digits.size();
/// So many leave some twelve bits of a draw's 64 over, so that all pairs are as good as equally likely.
constexpr std::size_t id_pairs_per_draw = 5;

/// All pairs of digits, so that a multiplication yields two of them.
constexpr auto id_pair_text = [] {
  std::array<char, 2 * id_pairs> text{};
  for (std::size_t i = 0; i < id_pairs; ++i) {
    text[2 * i] = id_digits[i / id_digits.size()];
    text[2 * i + 1] = id_digits[i % id_digits.size()];
  }
  return text;
}();

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
  static_assert(std::tuple_size_v<RequestId> % 2 == 0);
  std::uint64_t draw = 0;  // a binary fraction, whose digits to the base of id_pairs are the pairs
  for (std::size_t pair = 0; pair < id.size() / 2; ++pair) {
    if (pair % id_pairs_per_draw == 0) draw = random();
    __extension__ const auto product = static_cast<unsigned __int128>(draw) * id_pairs;
    std::copy_n(&id_pair_text[2 * static_cast<std::size_t>(product >> 64)], 2, &id[2 * pair]);
    draw = static_cast<std::uint64_t>(product);
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
