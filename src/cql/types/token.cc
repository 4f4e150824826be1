#include "cql/types/token.h"

#include <bit>
#include <cstring>
#include <limits>

#include "dinette/base/bytes.h"

namespace dinette::cql {
namespace {

constexpr std::uint64_t multiplier_1 = 0x87c37b91114253d5;
constexpr std::uint64_t multiplier_2 = 0x4cf5ad432745937f;
constexpr std::size_t block_size = 16;

std::uint64_t load_little_endian(const char* bytes) {
  return __builtin_bswap64(base::load_big_endian<std::uint64_t>(bytes));
}

std::uint64_t mixed_1(std::uint64_t k) {
  return std::rotl(k * multiplier_1, 31) * multiplier_2;
}

std::uint64_t mixed_2(std::uint64_t k) {
  return std::rotl(k * multiplier_2, 33) * multiplier_1;
}

std::uint64_t finished(std::uint64_t h) {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccd;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53;
  return h ^ (h >> 33);
}

/// Cassandra extends the sign of each byte of the tail; the reference algorithm does not.
std::uint64_t tail_word(std::string_view bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word ^= static_cast<std::uint64_t>(static_cast<signed char>(bytes[i])) << (8 * i);
  }
  return word;
}

}  // namespace

std::string partition_key_bytes(std::span<const std::string_view> values) {
  if (values.size() == 1) return std::string(values.front());
  std::string bytes;
  for (const std::string_view value : values) {
    base::append_big_endian(bytes, static_cast<std::uint16_t>(value.size()));
    bytes.append(value).push_back('\0');
  }
  return bytes;
}

std::int64_t murmur3_token(std::string_view key_bytes) {
  const auto length = static_cast<std::uint64_t>(key_bytes.size());
  std::uint64_t h1 = 0;
  std::uint64_t h2 = 0;
  for (; key_bytes.size() >= block_size; key_bytes.remove_prefix(block_size)) {
    h1 ^= mixed_1(load_little_endian(key_bytes.data()));
    h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dce729;
    h2 ^= mixed_2(load_little_endian(key_bytes.data() + 8));
    h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495ab5;
  }
  if (key_bytes.size() > 8) h2 ^= mixed_2(tail_word(key_bytes.substr(8)));
  if (!key_bytes.empty()) h1 ^= mixed_1(tail_word(key_bytes.substr(0, 8)));
  h1 ^= length;
  h2 ^= length;
  h1 += h2;
  h2 += h1;
  h1 = finished(h1) + finished(h2);
  const auto token = static_cast<std::int64_t>(h1);
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  return token == lowest ? std::numeric_limits<std::int64_t>::max() : token;
}

}  // namespace dinette::cql
