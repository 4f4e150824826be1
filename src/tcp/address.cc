#include "dinette/tcp/address.h"

#include <algorithm>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace dinette::tcp {

std::string host_and_port(std::string_view host, std::uint16_t port) {
  const bool ipv6 = host.find(':') != std::string_view::npos;
  std::string text(ipv6 ? "[" : "");
  return text.append(host).append(ipv6 ? "]:" : ":").append(std::to_string(port));
}

std::vector<std::string> addresses_of(const std::string& host) {
  boost::asio::io_context context(1);
  boost::asio::ip::tcp::resolver resolver(context);
  boost::system::error_code ec;
  std::vector<std::string> addresses;
  for (const auto& entry : resolver.resolve(host, "", ec)) {
    std::string address = entry.endpoint().address().to_string();
    if (std::ranges::find(addresses, address) == addresses.end()) addresses.push_back(std::move(address));
  }
  return addresses;
}

}  // namespace dinette::tcp
