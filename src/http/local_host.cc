#include "dinette/http/local_host.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include <arpa/inet.h>
#include <boost/asio/ip/address.hpp>
#include <ifaddrs.h>
#include <netinet/in.h>

#include "dinette/base/ascii.h"

namespace dinette::http {
namespace {

constexpr std::size_t most_port_digits = 5;

/// Reserved: RFC 6761, and .internal by ICANN.
constexpr std::array<std::string_view, 3> reserved_domains{"localhost", "test", "internal"};

/// Where machines of a local network name themselves (multicast DNS, DHCP).
constexpr std::array<std::string_view, 2> network_domains{"local", "lan"};

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= most_port_digits && std::ranges::all_of(text, base::is_digit);
}

bool is_name(std::string_view host) {
  const auto in_names = [](char c) { return base::is_word_character(c) || c == '-' || c == '.'; };
  return !host.empty() && std::ranges::all_of(host, in_names);
}

std::string in_lower_case(std::string_view host) {
  std::string lower(host);
  std::ranges::transform(lower, lower.begin(), base::to_lower);
  return lower;
}

std::optional<boost::asio::ip::address> read_address(std::string_view host) {
  const bool in_brackets = host.starts_with('[') && host.ends_with(']');
  if (!in_brackets && host.find(':') != std::string_view::npos) return std::nullopt;
  if (in_brackets) host = host.substr(1, host.size() - 2);
  boost::system::error_code failed;
  const auto address = boost::asio::ip::make_address(host, failed);
  if (failed || address.is_v6() != in_brackets) return std::nullopt;
  return address;
}

/// Unwraps an IPv4-mapped IPv6 address; returns any other address unchanged.
boost::asio::ip::address unmapped(const boost::asio::ip::address& address) {
  using namespace boost::asio::ip;
  const bool mapped = address.is_v6() && address.to_v6().is_v4_mapped();
  return mapped ? make_address_v4(v4_mapped, address.to_v6()) : address;
}

bool is_in(std::string_view host, std::string_view domain) {
  if (!host.ends_with(domain)) return false;
  return host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.';
}

bool is_in(std::string_view host, std::span<const std::string_view> domains) {
  return std::ranges::any_of(domains, [&](std::string_view domain) { return is_in(host, domain); });
}

bool is_of_local_network(std::string_view host) {
  return host.find('.') == std::string_view::npos || is_in(host, network_domains);
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
  if (host == "localhost" || host == "[::1]") return true;
  if (host.ends_with(".localhost")) return is_name(host);
  const auto address = read_address(host);
  return address && address->is_v4() && address->is_loopback();
}

bool is_address(std::string_view host) {
  return read_address(host).has_value();
}

bool is_on_this_machine(std::string_view remote) {
  const auto host = host_of(remote);
  const auto address = host ? read_address(*host) : std::nullopt;
  return address && unmapped(*address).is_loopback();
}

bool was_sent_here(const Request& request) {
  const bool forwarded =
      request.header("X-Forwarded-For") || request.header("Forwarded") || request.header("Via");
  return !forwarded && is_on_this_machine(request.remote);
}

bool is_name_of_this_machine(std::string_view authority) {
  const auto host = host_of(authority);
  if (!host) return false;
  const std::string lower = in_lower_case(*host);
  return is_local_host(lower) || is_own_address(lower);
}

bool is_own_address(std::string_view host) {
  const auto address = read_address(host);
  if (!address) return false;
  const std::string text = unmapped(*address).to_string();
  return std::ranges::any_of(own_addresses(), [&](const std::string& own) { return own == text; });
}

bool is_safe_from_rebinding(const Request& request, std::span<const std::string_view> domains) {
  std::string host = in_lower_case(host_of(request.header("Host").value_or("")).value_or(""));
  if (host.ends_with('.')) host.pop_back();  // the root
  if (is_address(host)) return true;
  if (!is_name(host)) return false;
  if (is_in(host, reserved_domains) || is_in(host, domains)) return true;
  return is_of_local_network(host) && !is_on_this_machine(request.remote);
}

bool is_of_browser(const Request& request) {
  return request.header("Accept-Language") || request.header("Sec-Fetch-Site") || request.header("Referer") ||
         request.header("User-Agent").value_or("").starts_with("Mozilla/");
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
