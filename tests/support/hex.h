#pragma once

#include <string>
#include <string_view>

namespace test {

/// Returns the bytes of hexadecimal digits; white space between them is skipped.
inline std::string from_hex(std::string_view digits) {
  std::string bytes;
  int high = -1;
  for (const char digit : digits) {
    if (digit == ' ' || digit == '\n') continue;
    const int value = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    if (high >= 0) bytes += static_cast<char>(high << 4 | value);
    high = high >= 0 ? -1 : value;
  }
  return bytes;
}

inline std::string to_hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    hex += digits[static_cast<unsigned char>(byte) >> 4];
    hex += digits[byte & 15];
  }
  return hex;
}

}  // namespace test
