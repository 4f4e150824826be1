#include "dinette/base/crc32.h"

#include <isa-l/crc.h>

namespace dinette::base {

// Every response has one. ISA-L takes 0.47 us for 25 KB, libdeflate 1.14 takes 1.7.
std::uint32_t crc32(std::string_view bytes) {
  return crc32_gzip_refl(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

}  // namespace dinette::base
