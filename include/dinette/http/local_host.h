#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/http/message.h"

namespace dinette::http {

/// Returns the host of "host" or "host:port", as a Host header or a URL has it; an IPv6 literal keeps its
/// brackets. Returns nothing if the port is not one.
std::optional<std::string_view> host_of(std::string_view authority);

/// Returns true if `host`, in lower case and without a port, always means this machine: localhost, names
/// below it (they never leave the machine, RFC 6761 section 6.3), 127.0.0.0/8, [::1].
bool is_local_host(std::string_view host);

/// Returns the addresses of this machine's interfaces: "127.0.0.1", "::1", "192.0.2.2".
std::vector<std::string> own_addresses();

/// Returns true if `host` is an IP address, an IPv6 one in brackets.
bool is_address(std::string_view host);

/// Returns true if it is one of this machine's interfaces.
bool is_own_address(std::string_view host);

/// Returns true if `remote`, as Request has it, is an address that only this machine can have.
bool is_on_this_machine(std::string_view remote);

/// Returns true if a program of this machine sent the request. One that says that it came through a proxy may
/// be another machine's, although the proxy is on this one.
bool was_sent_here(const Request& request);

/// Returns true if `authority`, a Host header, names this machine in a way that no name server can make up.
/// Stricter than is_safe_from_rebinding(), which asks only whether a page of that host is this server's.
bool is_name_of_this_machine(std::string_view authority);

/// Returns true if a page that was loaded from the request's Host was sent by this server. Whoever owns a
/// name can let it mean another machine first, and then this one (DNS rebinding), so that a page of theirs
/// reads from here as from its own origin. That is impossible with addresses, names that always mean this
/// machine, and names that cannot be registered or are not an attacker's. Names that any machine of a local
/// network can give itself are as good where that network reaches the server anyway, but not for a client
/// on this machine. `domains`: more of those whose names are not an attacker's.
bool is_safe_from_rebinding(const Request& request, std::span<const std::string_view> domains = {});

/// Returns true if a browser sent the request: it has a header that browsers add and that the scripts of
/// pages cannot remove. Some other clients have them too.
bool is_of_browser(const Request& request);

}  // namespace dinette::http
