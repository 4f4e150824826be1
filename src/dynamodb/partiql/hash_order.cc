#include "dynamodb/partiql/hash_order.h"

#include <algorithm>
#include <cstdint>

namespace dinette::dynamodb::partiql {
namespace {

/// Returns the hash of the characters in UTF-16, as Java computes it.
std::uint32_t string_hash(std::string_view utf8) {
  std::uint32_t hash = 0;
  const auto add = [&](std::uint32_t unit) { hash = hash * 31 + unit; };
  for (std::size_t at = 0; at < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    std::uint32_t point = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length && at + i < utf8.size(); ++i)
      point = point << 6 | (static_cast<unsigned char>(utf8[at + i]) & 0x3FU);
    at += length;
    if (point < 0x10000) {
      add(point);
    } else {
      add(0xD800 + ((point - 0x10000) >> 10));
      add(0xDC00 + ((point - 0x10000) & 0x3FF));
    }
  }
  return hash;
}

}  // namespace

void put_in_hash_order(std::vector<std::string_view>& names) {
  std::uint32_t buckets = 16;
  while (names.size() * 4 > std::size_t{buckets} * 3) buckets *= 2;
  std::ranges::stable_sort(names, {}, [&](std::string_view name) {
    const std::uint32_t hash = string_hash(name);
    return (hash ^ hash >> 16) & (buckets - 1);
  });
}

}  // namespace dinette::dynamodb::partiql
