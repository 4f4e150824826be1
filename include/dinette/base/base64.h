#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dinette::base {

/// Encodes with the standard alphabet (RFC 4648 section 4) and padding.
std::string base64_encode(std::string_view bytes);
/// Appends the encoding of `bytes` to `out`.
void append_base64(std::string& out, std::string_view bytes);

/// Decodes strictly: accepts exactly the output of `base64_encode`, so no white space, no missing or extra
/// padding, and unused bits are zero.
std::optional<std::string> base64_decode(std::string_view text);

}  // namespace dinette::base
