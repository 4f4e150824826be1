#include "dinette/tcp/address.h"

namespace dinette::tcp {

std::string host_and_port(std::string_view host, std::uint16_t port) {
  const bool ipv6 = host.find(':') != std::string_view::npos;
  std::string text(ipv6 ? "[" : "");
  return text.append(host).append(ipv6 ? "]:" : ":").append(std::to_string(port));
}

}  // namespace dinette::tcp
