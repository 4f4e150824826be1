#include "dinette/base/utf8.h"

namespace dinette::base {

std::size_t utf16_length(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0) != 0x80;  // every byte that starts a character
    units += byte >= 0xF0;           // a character of four bytes is a surrogate pair
  }
  return units;
}

}  // namespace dinette::base
