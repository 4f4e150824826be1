#include "app/called_server.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <system_error>
#include <utility>

namespace dinette::app {
namespace {

using base::Failure;

constexpr std::string_view plain_scheme = "http://";
constexpr std::string_view tls_scheme = "https://";
constexpr std::uint16_t plain_port = 80;
constexpr std::uint16_t tls_port = 443;

std::string environment(const char* name, std::string_view fallback = "") {
  const char* const value = std::getenv(name);
  return value == nullptr || *value == '\0' ? std::string(fallback) : value;
}

std::optional<std::uint16_t> read_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  const bool whole = error == std::errc() && end == text.data() + text.size() && port != 0;
  return whole ? std::optional(port) : std::nullopt;
}

/// Reads "host:port", "[::1]:port", or the host alone, whose port is then `usual`; 0: there must be one.
std::optional<tcp::Remote> read_place(std::string_view text, std::uint16_t usual) {
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

}  // namespace

bool is_url(std::string_view text) {
  return text.starts_with(plain_scheme) || text.starts_with(tls_scheme);
}

base::Result<tcp::Remote, std::string> read_url(std::string_view url) {
  const bool tls = url.starts_with(tls_scheme);
  std::string_view place = url.substr((tls ? tls_scheme : plain_scheme).size());
  if (place.ends_with('/')) place.remove_suffix(1);
  auto server = read_place(place, tls ? tls_port : plain_port);
  if (!server)
    return Failure{"'" + std::string(url) + "' is not the URL of a server, such as http://127.0.0.1:8000"};
  server->tls = tls;
  return *std::move(server);
}

base::Result<tcp::Remote, std::string> read_host_and_port(std::string_view text) {
  auto server = read_place(text, 0);
  if (!server)
    return Failure{"'" + std::string(text) +
                   "' is neither the URL of a server nor HOST:PORT, such as http://127.0.0.1:8000 or "
                   "localhost:8000"};
  return *std::move(server);
}

aws::SigningIdentity identity_of_environment() {
  return {.access_key = environment("AWS_ACCESS_KEY_ID", "dinette"),
          .secret = environment("AWS_SECRET_ACCESS_KEY", "dinette"),
          .session_token = environment("AWS_SESSION_TOKEN"),
          .region = environment("AWS_REGION", environment("AWS_DEFAULT_REGION", "us-east-1"))};
}

}  // namespace dinette::app
