#pragma once

#include <array>
#include <string_view>

namespace dinette::base {

/// 20 bytes.
using Sha1Digest = std::array<unsigned char, 20>;

/// Returns the digest, which does not resist forgery. Throws std::bad_alloc if memory is exhausted.
Sha1Digest sha1(std::string_view bytes);

}  // namespace dinette::base
