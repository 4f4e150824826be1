#pragma once

#include <cstdint>
#include <string_view>

namespace dinette::store {

/// SipHash-2-4 (Aumasson, Bernstein 2012) of `bytes` under the key (low, high). Results are kept on disk:
/// same input, same output, on every machine and for ever.
std::uint64_t sip_hash(std::string_view bytes, std::uint64_t low = 0, std::uint64_t high = 0);

}  // namespace dinette::store
