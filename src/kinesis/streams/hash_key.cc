#include "kinesis/streams/hash_key.h"

#include <algorithm>
#include <array>

#include <boost/multiprecision/cpp_int.hpp>

#include "dinette/base/ascii.h"
#include "dinette/base/bytes.h"
#include "dinette/base/md5.h"

namespace dinette::kinesis {
namespace {

using Number = boost::multiprecision::uint256_t;

constexpr std::size_t most_digits = 39;

HashKey hash_key_of(const Number& number) {
  return {static_cast<std::uint64_t>(number >> 64), static_cast<std::uint64_t>(number & ~std::uint64_t{0})};
}

}  // namespace

HashKey HashKey::of_partition_key(std::string_view partition_key) {
  const base::Md5Digest digest = base::md5(partition_key);
  std::array<char, sizeof digest> bytes;
  std::ranges::copy(digest, bytes.begin());
  return {base::load_big_endian<std::uint64_t>(bytes.data()),
          base::load_big_endian<std::uint64_t>(bytes.data() + sizeof(std::uint64_t))};
}

std::optional<HashKey> HashKey::parse(std::string_view text) {
  const bool digits = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
  if (text.empty() || text.size() > most_digits || !digits) return std::nullopt;
  Number number = 0;
  for (const char c : text) number = number * 10 + static_cast<unsigned>(c - '0');
  if ((number >> 128) != 0) return std::nullopt;
  return hash_key_of(number);
}

HashKey HashKey::of_part(std::uint32_t part, std::uint32_t parts) {
  const Number width = (Number(1) << 128) / parts;
  return hash_key_of(width * part);
}

std::string HashKey::text() const {
  return ((Number(high) << 64) | low).str();
}

}  // namespace dinette::kinesis
