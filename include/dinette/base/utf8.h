#pragma once

#include <cstddef>
#include <string_view>

namespace dinette::base {

/// Length in UTF-16 code units of well-formed UTF-8 `text`: what a Java service counts as characters.
std::size_t utf16_length(std::string_view text);

}  // namespace dinette::base
