#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::tcp {

/// Returns "127.0.0.1:8000", or "[::1]:8000" for an IPv6 literal.
std::string host_and_port(std::string_view host, std::uint16_t port);

/// Returns the addresses of a host name, in the order of the system's resolver, each once; an address has
/// itself. Empty: the name cannot be resolved. Takes as long as the system needs.
std::vector<std::string> addresses_of(const std::string& host);

}  // namespace dinette::tcp
