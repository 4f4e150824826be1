#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dinette::http {

/// Returns the host of "host" or "host:port", as a Host header or a URL has it; an IPv6 literal keeps its
/// brackets. Returns nothing if the port is not one.
std::optional<std::string_view> host_of(std::string_view authority);

/// Returns true if `host`, in lower case and without a port, always means this machine: localhost, names
/// below it (they never leave the machine, RFC 6761 section 6.3), 127.0.0.0/8, [::1].
bool is_local_host(std::string_view host);

/// Returns the addresses of this machine's interfaces: "127.0.0.1", "::1", "192.0.2.2".
std::vector<std::string> own_addresses();

}  // namespace dinette::http
