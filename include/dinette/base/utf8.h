#pragma once

#include <cstddef>
#include <string_view>

namespace dinette::base {

/// Returns the length of well-formed UTF-8 `text` in UTF-16 code units, which is what Java counts as
/// characters.
std::size_t utf16_length(std::string_view text);

}  // namespace dinette::base
