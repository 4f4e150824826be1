#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dinette::keyspaces {

/// Which kind a token is of; part of its text.
enum class TokenKind : std::uint8_t { keyspaces = 1, tables, types, tags, streams, shards, iterator };

/// Returns text that clients carry from one response to the next request without reading it. Has 80
/// characters at least, as the model of streams demands.
std::string sealed(TokenKind kind, std::string_view content);

/// Returns the content; nothing if the text is no token of this kind, or was changed on the way.
std::optional<std::string> unsealed(TokenKind kind, std::string_view token);

}  // namespace dinette::keyspaces
