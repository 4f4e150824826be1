#pragma once

#include <array>
#include <string_view>

namespace dinette::base {

/// 32 bytes.
using Sha256Digest = std::array<unsigned char, 32>;

/// Throws std::bad_alloc if memory is exhausted.
Sha256Digest sha256(std::string_view bytes);

/// Gets ready what sha256() needs. To be called before memory can be exhausted: OpenSSL survives that, but
/// not while it is used for the first time.
void prepare_sha256();

}  // namespace dinette::base
