#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Tokens and iterators: texts that clients keep, and send back as they are.
namespace dinette::tablestore {

/// Returns content as such a text, which has a checksum.
std::string sealed(std::string_view content);

/// Returns the content of such a text; nothing for other texts.
std::optional<std::string> unsealed(std::string_view text);

}  // namespace dinette::tablestore
