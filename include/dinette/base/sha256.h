#pragma once

#include <array>
#include <string_view>

namespace dinette::base {

/// 32 bytes.
using Sha256Digest = std::array<unsigned char, 32>;

Sha256Digest sha256(std::string_view bytes);

/// Returns the message authentication code of `bytes` (RFC 2104). Throws std::bad_alloc if memory is
/// exhausted.
Sha256Digest hmac_sha256(std::string_view key, std::string_view bytes);

/// To be called before memory may run out while hmac_sha256() runs: OpenSSL handles that, but not on first
/// use.
void prepare_hmac_sha256();

}  // namespace dinette::base
