#include "app/address.h"

#include "dinette/tcp/address.h"

namespace dinette::app {

std::string url_of(std::string_view host, std::uint16_t port, bool tls) {
  return (tls ? "https://" : "http://") + tcp::host_and_port(host, port);
}

std::string_view reachable(std::string_view host) {
  if (host == "0.0.0.0") return "127.0.0.1";
  if (host == "::") return "::1";
  return host;
}

}  // namespace dinette::app
