#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

namespace dinette::base {

/// Returns `value` with its most significant byte first in memory, so that bytes compare like numbers.
template <class Unsigned>
requires std::is_unsigned_v<Unsigned>
constexpr Unsigned big_endian(Unsigned value) {
  if constexpr (std::endian::native == std::endian::big || sizeof(Unsigned) == 1) {
    return value;
  } else if constexpr (sizeof(Unsigned) == 2) {
    return __builtin_bswap16(value);
  } else if constexpr (sizeof(Unsigned) == 4) {
    return __builtin_bswap32(value);
  } else {
    static_assert(sizeof(Unsigned) == 8);
    return __builtin_bswap64(value);
  }
}

/// Writes `value` at `out`, most significant byte first.
template <class Unsigned>
void store_big_endian(char* out, Unsigned value) {
  const Unsigned swapped = big_endian(value);
  std::memcpy(out, &swapped, sizeof swapped);
}

/// Appends `value` to `out`, most significant byte first.
template <class Unsigned>
void append_big_endian(std::string& out, Unsigned value) {
  char bytes[sizeof value];
  store_big_endian(bytes, value);
  out.append(bytes, sizeof bytes);
}

/// Reads what store_big_endian wrote. `bytes` must hold at least sizeof(Unsigned).
template <class Unsigned>
Unsigned load_big_endian(const char* bytes) {
  Unsigned swapped;
  std::memcpy(&swapped, bytes, sizeof swapped);
  return big_endian(swapped);
}

/// Turns the prefix `bytes` into the exclusive end of its range: the smallest byte string greater than every
/// string with that prefix. The result is empty ("no end") if all bytes are 0xFF.
inline void to_prefix_end(std::string& bytes) {
  while (!bytes.empty() && bytes.back() == '\xFF') bytes.pop_back();
  if (!bytes.empty()) bytes.back() = static_cast<char>(static_cast<unsigned char>(bytes.back()) + 1);
}

inline std::string prefix_end(std::string_view prefix) {
  std::string end(prefix);
  to_prefix_end(end);
  return end;
}

}  // namespace dinette::base
