#pragma once

#include <array>
#include <string_view>

namespace dinette::base {

/// 32 bytes.
using Sha256Digest = std::array<unsigned char, 32>;

Sha256Digest sha256(std::string_view bytes);

}  // namespace dinette::base
