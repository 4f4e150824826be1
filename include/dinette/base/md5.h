#pragma once

#include <array>
#include <string_view>

namespace dinette::base {

/// 16 bytes.
using Md5Digest = std::array<unsigned char, 16>;

/// Does not allocate. Not for anything that must resist forgery.
Md5Digest md5(std::string_view bytes);

}  // namespace dinette::base
