#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dinette::app {

/// Returns "https://127.0.0.1:8000", "http://[::1]:8000".
std::string url_of(std::string_view host, std::uint16_t port, bool tls);

/// Returns the address that reaches a server listening on `host` from the same machine.
std::string_view reachable(std::string_view host);

}  // namespace dinette::app
