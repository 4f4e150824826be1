#pragma once

#include <string>
#include <string_view>

namespace dinette::app {

/// Returns `text` as one word of a shell, in quotes if it needs them.
std::string shell_word(std::string_view text);

}  // namespace dinette::app
