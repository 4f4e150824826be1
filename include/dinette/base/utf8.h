#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dinette::base {

/// Returns the length of well-formed UTF-8 `text` in UTF-16 code units, which is what Java counts as
/// characters.
std::size_t utf16_length(std::string_view text);

/// Returns true if `text` is well-formed UTF-8.
bool is_utf8(std::string_view text);

/// Returns `text`, or if it has more than `bytes`, whole characters from its beginning and "...".
std::string shortened(std::string_view text, std::size_t bytes);

/// Returns `text` with U+FFFD in place of what is not UTF-8.
std::string valid_utf8(std::string_view text);

/// Returns `text` for a line of a terminal or a file, as JSON writes strings: "a\nb". Escapes backslashes,
/// and what ends a line, moves the cursor or changes the direction of writing; replaces what is not UTF-8.
std::string printable(std::string_view text);

}  // namespace dinette::base
