#include "dinette/http/url.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

namespace dinette::http {
namespace {

constexpr std::string_view plain_scheme = "http://";
constexpr std::string_view tls_scheme = "https://";
constexpr std::uint16_t default_port = 80;
constexpr std::uint16_t default_tls_port = 443;

std::optional<std::uint16_t> read_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool whole = error == std::errc() && end == text.data() + text.size() && port != 0;
  return whole ? std::optional(port) : std::nullopt;
}

/// Returns true if a request line may contain the text.
bool is_target(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f' && c != '#'; });
}

}  // namespace

bool is_url(std::string_view text) {
  return text.starts_with(plain_scheme) || text.starts_with(tls_scheme);
}

std::optional<Url> parse_url(std::string_view text) {
  if (!is_url(text)) return std::nullopt;
  const bool tls = text.starts_with(tls_scheme);
  text.remove_prefix((tls ? tls_scheme : plain_scheme).size());
  const std::size_t path = std::min(text.find_first_of("/?"), text.size());
  auto server = parse_host_and_port(text.substr(0, path), tls ? default_tls_port : default_port);
  if (!server || !is_target(text.substr(path))) return std::nullopt;
  server->tls = tls;
  Url url{*std::move(server), std::string(text.substr(path))};
  if (!url.target.starts_with('/')) url.target.insert(0, "/");
  return url;
}

std::optional<tcp::Remote> parse_host_and_port(std::string_view text, std::uint16_t usual) {
  tcp::Remote place;
  place.port = usual;
  if (text.find_first_of("/?#@ ") != std::string_view::npos) return std::nullopt;
  // The colons of an IPv6 address are within brackets.
  const std::size_t colon = text.find(':', text.starts_with('[') ? text.find(']') : 0);
  if (colon != std::string_view::npos) {
    const auto port = read_port(text.substr(colon + 1));
    if (!port) return std::nullopt;
    place.port = *port;
    text = text.substr(0, colon);
  }
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  if (text.empty() || place.port == 0) return std::nullopt;
  place.host = text;
  return place;
}

}  // namespace dinette::http
