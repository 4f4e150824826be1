#include "dinette/http/local_host.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>

#include "dinette/base/ascii.h"

namespace dinette::http {
namespace {

constexpr std::size_t most_port_digits = 5;

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= most_port_digits && std::ranges::all_of(text, base::is_digit);
}

bool is_loopback(const std::string& host) {
  in_addr address{};
  if (inet_pton(AF_INET, host.c_str(), &address) != 1) return false;
  return ntohl(address.s_addr) >> 24 == IN_LOOPBACKNET;
}

/// Returns an address of the internet as text; empty if it is of another family.
std::string text_of(const sockaddr* socket_address) {
  if (socket_address == nullptr) return {};
  const void* address = nullptr;
  if (socket_address->sa_family == AF_INET)
    address = &reinterpret_cast<const sockaddr_in*>(socket_address)->sin_addr;
  if (socket_address->sa_family == AF_INET6)
    address = &reinterpret_cast<const sockaddr_in6*>(socket_address)->sin6_addr;
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address == nullptr) return {};
  return inet_ntop(socket_address->sa_family, address, text.data(), text.size());
}

}  // namespace

std::optional<std::string_view> host_of(std::string_view authority) {
  const std::size_t colon = authority.find(':', authority.starts_with('[') ? authority.find(']') : 0);
  if (colon != std::string_view::npos && !is_port(authority.substr(colon + 1))) return std::nullopt;
  return authority.substr(0, colon);
}

bool is_local_host(std::string_view host) {
  const auto in_names = [](char c) { return base::is_word_character(c) || c == '-' || c == '.'; };
  if (host == "localhost" || host == "[::1]" || is_loopback(std::string(host))) return true;
  return host.ends_with(".localhost") && std::ranges::all_of(host, in_names);
}

std::vector<std::string> own_addresses() {
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return {};
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(list, &freeifaddrs);
  std::vector<std::string> addresses;
  for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
    if (auto text = text_of(one->ifa_addr); !text.empty()) addresses.push_back(std::move(text));
  }
  return addresses;
}

}  // namespace dinette::http
