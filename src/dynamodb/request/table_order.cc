#include "dynamodb/request/table_order.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace dinette::dynamodb {
namespace {

/// Returns String.hashCode() as HashMap spreads it. Names are ASCII, so that bytes are Java's characters.
std::uint32_t spread_hash(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char c : name) hash = 31 * hash + static_cast<unsigned char>(c);
  return hash ^ hash >> 16U;
}

/// A HashMap begins with 16 buckets and doubles them when three quarters as many keys are in it.
std::size_t bucket_count(std::size_t keys) {
  return std::max<std::size_t>(16, std::bit_ceil((keys * 4 + 2) / 3));
}

}  // namespace

std::vector<std::size_t> order_of_tables(std::span<const std::string_view> names) {
  const std::size_t last_bucket = bucket_count(names.size()) - 1;
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto bucket = [&](std::size_t position) { return spread_hash(names[position]) & last_bucket; };
  std::ranges::stable_sort(order, {}, bucket);
  return order;
}

}  // namespace dinette::dynamodb
