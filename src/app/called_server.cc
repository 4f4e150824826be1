#include "app/called_server.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <system_error>

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

}  // namespace

bool is_url(std::string_view text) {
  return text.starts_with(plain_scheme) || text.starts_with(tls_scheme);
}

base::Result<tcp::Remote, std::string> read_url(std::string_view url) {
  tcp::Remote server;
  server.tls = url.starts_with(tls_scheme);
  server.port = server.tls ? tls_port : plain_port;
  std::string_view rest = url.substr((server.tls ? tls_scheme : plain_scheme).size());
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const auto refuse = [&] {
    return Failure{"'" + std::string(url) + "' is not the URL of a server, such as http://127.0.0.1:8000"};
  };
  if (rest.find_first_of("/?#@ ") != std::string_view::npos) return refuse();
  // The colons of an IPv6 address are within brackets.
  const std::size_t colon = rest.find(':', rest.starts_with('[') ? rest.find(']') : 0);
  if (colon != std::string_view::npos) {
    const auto port = read_port(rest.substr(colon + 1));
    if (!port) return refuse();
    server.port = *port;
    rest = rest.substr(0, colon);
  }
  if (rest.starts_with('[') && rest.ends_with(']')) rest = rest.substr(1, rest.size() - 2);
  if (rest.empty()) return refuse();
  server.host = rest;
  return server;
}

aws::SigningIdentity identity_of_environment() {
  return {.access_key = environment("AWS_ACCESS_KEY_ID", "dinette"),
          .secret = environment("AWS_SECRET_ACCESS_KEY", "dinette"),
          .session_token = environment("AWS_SESSION_TOKEN"),
          .region = environment("AWS_REGION", environment("AWS_DEFAULT_REGION", "us-east-1"))};
}

}  // namespace dinette::app
