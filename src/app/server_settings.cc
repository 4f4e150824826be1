#include "app/server_settings.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "dinette/http/tokens.h"
#include "dinette/s3/service.h"

#include "app/address.h"
#include "app/called_server.h"
#include "app/usable_memory.h"

namespace dinette::app {
namespace {

// Enough that some can work while others wait.
constexpr unsigned worker_threads = 64;

// Three per event loop; the rest is for refused clients, files and the standard streams.
constexpr std::size_t loop_descriptors = 3;
constexpr std::size_t other_descriptors = 64;

// The service's replicas are rarely further apart.
constexpr std::chrono::milliseconds staleness{500};

std::vector<std::string> addresses_of(std::string_view hosts) {
  std::vector<std::string> addresses;
  while (!hosts.empty()) addresses.emplace_back(http::trimmed(http::take_until(hosts, ',')));
  return addresses;
}

}  // namespace

dynamodb::ServiceOptions service_settings(const Options& options, aws::Credentials credentials) {
  dynamodb::ServiceOptions service;
  service.auth = {.mode = options.auth,
                  .credentials = std::move(credentials),
                  .default_account = options.account,
                  .default_region = options.region};
  service.isolation = options.isolation;
  service.cors_origins = options.cors_origins;
  service.state_delay = options.state_delay;
  service.index_state_delay = options.index_state_delay;
  service.as_dynamodb_local = options.as_dynamodb_local;
  service.index_lag = options.index_lag;
  if (options.stale_reads) service.stale_reads = staleness;
  service.time_to_live_delay = options.time_to_live_delay;
  service.stream_retention = options.stream_retention;
  service.recovery_window = options.recovery_window;
  service.partition_minimum = options.partition_minimum;
  service.refuse_conflicts = options.refuse_conflicts;
  service.throttle = options.throttle;
  service.validation = options.validation;
  service.lenient_types = options.lenient_types || options.as_dynamodb_local;
  service.log_items = options.log_items;
  return service;
}

bool needs_visitor_token(const Options& options) {
  const auto is_here = [](std::string_view host) { return host == "localhost" || is_loopback(host); };
  const bool only_here = std::ranges::all_of(addresses_of(options.host), is_here);
  return options.administration && options.admin_token.empty() && !only_here;
}

admin::ApiOptions admin_settings(const Options& options, const std::string& visitor_token) {
  return {.token = visitor_token.empty() ? options.admin_token : visitor_token,
          .token_for_all_callers = visitor_token.empty(),
          .cors_origins = options.cors_origins,
          .version = DINETTE_VERSION,
          .sweep_expired = &dynamodb::delete_expired_items,
          .split_shards = [](tenancy::World& world,
                             std::string_view table) { return dynamodb::split_shards(world, table); },
          .prepare_fault = &dynamodb::prepare_fault};
}

std::filesystem::path s3_folder(const Options& options) {
  if (!options.s3_folder.empty()) return options.s3_folder;
  if (!options.data_folder.empty()) return std::filesystem::path(options.data_folder) / "s3";
  return {};
}

base::Result<s3::RemoteOptions, std::string> remote_settings(const Options& options) {
  s3::RemoteOptions remote;
  DINETTE_TRY(remote.server, read_url(options.s3_endpoint));
  remote.server.verify = remote.server.tls;
  if (const char* const file = std::getenv("AWS_CA_BUNDLE")) remote.server.trusted_file = file;
  remote.identity = identity_of_environment();
  return remote;
}

tenancy::WorldsOptions worlds_settings(const dynamodb::ServiceOptions& service,
                                       std::shared_ptr<kv::Engines> engines) {
  tenancy::WorldsOptions worlds;
  worlds.engines = std::move(engines);
  worlds.faces = {dynamodb::world_face(
      {service.time_to_live_delay, service.objects, service.stream_retention, service.recovery_window})};
  worlds.store.history = service.index_lag + service.stale_reads;
  return worlds;
}

kv::DataFolderOptions data_folder_settings(const Options& options) {
  return {.sync = options.sync, .memory_bytes = options.memory == 0 ? usable_memory() / 2 : options.memory};
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
