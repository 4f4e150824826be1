#pragma once

#include <string>

namespace dinette::base {

/// Returns a text of 32 hexadecimal digits that cannot be guessed, from the operating system's generator.
std::string make_secret();

}  // namespace dinette::base
