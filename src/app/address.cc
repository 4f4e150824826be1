#include "app/address.h"

namespace dinette::app {

std::string host_and_port(std::string_view host, std::uint16_t port) {
  const bool ipv6 = host.find(':') != std::string_view::npos;
  std::string text(ipv6 ? "[" : "");
  return text.append(host).append(ipv6 ? "]:" : ":").append(std::to_string(port));
}

std::string url_of(std::string_view host, std::uint16_t port, bool tls) {
  return (tls ? "https://" : "http://") + host_and_port(host, port);
}

std::string_view reachable(std::string_view host) {
  if (host == "0.0.0.0") return "127.0.0.1";
  if (host == "::") return "::1";
  return host;
}

}  // namespace dinette::app
