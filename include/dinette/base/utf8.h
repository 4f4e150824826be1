#pragma once

#include <cstddef>
#include <string_view>

namespace dinette::base {

/// Whether `bytes` are well-formed UTF-8 (RFC 3629: no surrogates, nothing overlong, nothing beyond
/// U+10FFFF).
bool is_utf8(std::string_view bytes);

/// Length in UTF-16 code units of well-formed UTF-8 `text`: what a Java service counts as characters.
std::size_t utf16_length(std::string_view text);

}  // namespace dinette::base
