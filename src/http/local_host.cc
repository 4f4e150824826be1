#include "dinette/http/local_host.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include <arpa/inet.h>

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

}  // namespace dinette::http
