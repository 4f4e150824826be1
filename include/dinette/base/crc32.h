#pragma once

#include <cstdint>
#include <string_view>

namespace dinette::base {

/// Returns the CRC-32 of RFC 1952 (the gzip polynomial): `crc32("123456789")` is 0xCBF43926.
std::uint32_t crc32(std::string_view bytes);

}  // namespace dinette::base
