#include "app/address.h"

#include "dinette/tcp/address.h"

namespace dinette::app {
namespace {

bool is_of_link(std::string_view address) {
  return address.starts_with("169.254.") || address.starts_with("fe80:");
}

}  // namespace

std::string url_of(std::string_view host, std::uint16_t port, bool tls) {
  return (tls ? "https://" : "http://") + tcp::host_and_port(host, port);
}

bool is_loopback(std::string_view address) {
  return address.starts_with("127.") || address == "::1";
}

bool is_every_network(std::string_view address) {
  return address == "0.0.0.0" || address == "::";
}

// A server on all of IPv6 accepts IPv4, too (tcp::ServerOptions).
std::string_view reachable(std::string_view host) {
  return is_every_network(host) ? "127.0.0.1" : host;
}

std::string network_address(const std::vector<std::string>& own) {
  std::string of_ipv6;
  for (const std::string& address : own) {
    if (is_loopback(address) || is_of_link(address)) continue;
    if (address.find(':') == std::string::npos) return address;
    if (of_ipv6.empty()) of_ipv6 = address;
  }
  return of_ipv6;
}

}  // namespace dinette::app
