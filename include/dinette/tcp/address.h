#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dinette::tcp {

/// Returns "127.0.0.1:8000", or "[::1]:8000" for an IPv6 literal.
std::string host_and_port(std::string_view host, std::uint16_t port);

}  // namespace dinette::tcp
