#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace dinette::tablestore::plainbuffer {

/// Writes a number to memory, little-endian.
template <class Number>
void store_number(char* at, Number number) {
  auto rest = static_cast<std::make_unsigned_t<Number>>(number);
  for (std::size_t i = 0; i < sizeof number; ++i) {
    at[i] = static_cast<char>(rest);
    rest = static_cast<decltype(rest)>(rest >> 7 >> 1);
  }
}

/// Appends a number, little-endian.
template <class Number>
void append_number(std::string& out, Number number) {
  std::array<char, sizeof(Number)> bytes;
  store_number(bytes.data(), number);
  out.append(bytes.data(), bytes.size());
}

/// Appends a text after its length of four bytes.
inline void append_text(std::string& out, std::string_view text) {
  append_number(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

}  // namespace dinette::tablestore::plainbuffer
