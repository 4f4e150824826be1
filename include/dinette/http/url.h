#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/tcp/stream.h"

namespace dinette::http {

/// What an absolute URL names.
struct Url {
  tcp::Remote server;
  std::string target = "/";  ///< path and query, as ClientRequest::target
};

/// Returns true if the text begins as the URL of a server does, with http:// or https://.
bool is_url(std::string_view text);

/// Reads "http://host:port/path?query", "https://host": the port may be missing, and so may the rest. Returns
/// nothing for other texts, and for URLs with a user or a fragment.
std::optional<Url> parse_url(std::string_view text);

/// Reads "host:port", "[::1]:port", or the host alone, whose port is then `usual`; 0: there must be one.
/// Returns nothing for other texts.
std::optional<tcp::Remote> parse_host_and_port(std::string_view text, std::uint16_t usual);

}  // namespace dinette::http
