#include "app/serve/server_settings.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "dinette/dynamodb/service.h"
#include "dinette/http/tokens.h"
#include "dinette/s3/service.h"

#include "app/address.h"
#include "app/called_server.h"

namespace dinette::app {
namespace {

// Enough that some can work while others wait.
constexpr unsigned worker_threads = 64;

// Three per event loop; the rest is for refused clients, files and the standard streams.
constexpr std::size_t loop_descriptors = 3;
constexpr std::size_t other_descriptors = 64;

std::vector<std::string> addresses_of(std::string_view hosts) {
  std::vector<std::string> addresses;
  while (!hosts.empty()) addresses.emplace_back(http::trimmed(http::take_until(hosts, ',')));
  return addresses;
}

}  // namespace

bool needs_visitor_token(const Options& options) {
  const auto is_here = [](std::string_view host) { return host == "localhost" || is_loopback(host); };
  const bool only_here = std::ranges::all_of(addresses_of(options.host), is_here);
  return options.administration && options.admin_token.empty() && !only_here;
}

std::filesystem::path s3_folder(const Options& options) {
  if (!options.s3_folder.empty()) return options.s3_folder;
  if (!options.data_folder.empty()) return std::filesystem::path(options.data_folder) / "s3";
  return {};
}

base::Result<tcp::Remote, std::string> read_service_url(std::string_view url) {
  DINETTE_TRY(tcp::Remote server, read_url(url));
  server.verify = server.tls;
  if (const char* const file = std::getenv("AWS_CA_BUNDLE")) server.trusted_file = file;
  return server;
}

base::Result<s3::RemoteOptions, std::string> remote_settings(const Options& options) {
  s3::RemoteOptions remote;
  DINETTE_TRY(remote.server, read_service_url(options.s3_endpoint));
  remote.identity = identity_of_environment();
  return remote;
}

http::ServerOptions server_settings(const Options& options, bool may_block) {
  http::ServerOptions server;
  server.tcp.listen.addresses = addresses_of(options.host);
  server.tcp.listen.port = options.port;
  server.tcp.threads = options.threads;
  if (may_block) server.tcp.waiters = worker_threads;
  server.tcp.limits.connections = options.max_connections;
  server.tcp.limits.held_bytes = options.connection_memory;
  server.limits = dynamodb::http_limits();
  if (options.s3_endpoint.empty()) server.limits.path_body_bytes = s3::most_body_bytes;
  if (serves_tls(options))
    server.tcp.listen.tls = tcp::TlsOptions{options.tls_certificate_file, options.tls_key_file};
  return server;
}

std::size_t connection_limit(const Options& options, std::size_t descriptors) {
  const std::size_t loops = std::max(options.threads, std::thread::hardware_concurrency());
  const std::size_t others = other_descriptors + loop_descriptors * loops;
  const std::size_t left = descriptors > 2 * others ? descriptors - others : descriptors / 2;
  return std::min<std::size_t>(options.max_connections, left);
}

bool serves_tls(const Options& options) {
  return options.tls_self_signed || !options.tls_certificate_file.empty();
}

}  // namespace dinette::app
