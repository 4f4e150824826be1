#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::app {

/// Returns "https://127.0.0.1:8000", "http://[::1]:8000".
std::string url_of(std::string_view host, std::uint16_t port, bool tls);

/// Returns true for 127.0.0.0/8 and ::1.
bool is_loopback(std::string_view address);

/// Returns true for 0.0.0.0 and ::.
bool is_every_network(std::string_view address);

/// Returns the address that reaches a server listening on `host` from the same machine.
std::string_view reachable(std::string_view host);

/// Returns the one of a machine's addresses by which others reach it, of IPv4 if possible; empty if none
/// does.
std::string network_address(const std::vector<std::string>& own);

}  // namespace dinette::app
