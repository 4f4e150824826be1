#pragma once

#include <cstdint>
#include <string_view>

namespace dinette::base {

/// Returns the CRC-32 of RFC 1952 (the gzip polynomial): `crc32("123456789")` is 0xCBF43926.
std::uint32_t crc32(std::string_view bytes);

/// Returns the CRC-32C of RFC 3720 (the Castagnoli polynomial): `crc32c("123456789")` is 0xE3069283.
/// `before` is that of bytes which precede these.
std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

}  // namespace dinette::base
