#pragma once

#include <string>
#include <string_view>

namespace dinette::base {

/// Returns a text of 32 hexadecimal digits that cannot be guessed, from the operating system's generator.
std::string make_secret();

/// Returns true if two strings are equal, in a time that depends on their lengths alone.
bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace dinette::base
