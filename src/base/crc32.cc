#include "dinette/base/crc32.h"

#include <algorithm>
#include <cstddef>

#include <isa-l/crc.h>

namespace dinette::base {

// Every response has one. ISA-L takes 0.47 us for 25 KB, libdeflate 1.14 takes 1.7.
std::uint32_t crc32(std::string_view bytes) {
  return crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) {
  constexpr std::uint32_t inverted = 0xFFFFFFFF;
  constexpr std::size_t most_at_once = 1 << 30;  // the size is passed as an int
  std::uint32_t sum = before ^ inverted;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), most_at_once))) {
    // It does not write.
    auto* const begin = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
    sum = crc32_iscsi(begin, static_cast<int>(std::min(bytes.size(), most_at_once)), sum);
  }
  return sum ^ inverted;
}

}  // namespace dinette::base
