#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dinette::base {

/// Standard alphabet (RFC 4648 section 4) with padding.
std::string base64_encode(std::string_view bytes);
/// Appends the encoding of `bytes` to `out`.
void append_base64(std::string& out, std::string_view bytes);

/// Strict: standard alphabet, padding where it belongs and nowhere else, no white space, unused bits zero.
/// Exactly the output of `base64_encode` is accepted.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace dinette::base
