#pragma once

#include <array>
#include <string_view>

namespace dinette::base {

/// 20 bytes.
using Sha1Digest = std::array<unsigned char, 20>;

/// Returns the digest, which does not resist forgery. Does not allocate.
Sha1Digest sha1(std::string_view bytes);

/// Returns the message authentication code of `bytes` (RFC 2104). Does not allocate.
Sha1Digest hmac_sha1(std::string_view key, std::string_view bytes);

}  // namespace dinette::base
