#include "app/serve.h"

#include <chrono>
#include <iostream>
#include <memory>
#include <utility>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/log.h"
#include "dinette/dynamodb/service.h"
#include "dinette/kv/memory.h"
#include "dinette/net/server.h"
#include "dinette/store/store.h"

#include "app/credentials.h"
#include "app/signals.h"

namespace dinette::app {
namespace {

// For requests in flight when a signal comes; less than the ten seconds that container engines wait.
constexpr std::chrono::seconds kDrainDeadline{8};

base::Result<dynamodb::Credentials, std::string> credentials_of(const Options& options) {
  if (options.credentials_file.empty()) return dynamodb::Credentials{};
  return read_credentials(options.credentials_file);
}

dynamodb::ServiceOptions service_options(const Options& options, dynamodb::Credentials credentials) {
  dynamodb::ServiceOptions service;
  service.auth = {.mode = options.auth,
                  .credentials = std::move(credentials),
                  .default_account = options.account,
                  .default_region = options.region};
  service.isolate_account = options.isolate_account;
  service.isolate_region = options.isolate_region;
  service.cors_origins = options.cors_origins;
  service.state_delay = options.state_delay;
  service.log_items = options.log_items;
  return service;
}

net::ServerOptions server_options(const Options& options) {
  net::ServerOptions server;
  server.address = options.host;
  server.port = options.port;
  server.threads = options.threads;
  server.limits.connections = options.max_connections;
  server.refusals.body_too_large = "<RequestEntityTooLargeException/>";  // facts: wire.md section 1
  if (options.tls_self_signed || !options.tls_certificate_file.empty()) {
    server.tls = net::TlsOptions{options.tls_certificate_file, options.tls_key_file};
  }
  return server;
}

std::string url_of(const Options& options, bool tls, std::uint16_t port) {
  const bool ipv6 = options.host.find(':') != std::string::npos;
  const auto host = ipv6 ? "[" + options.host + "]" : options.host;
  return (tls ? "https://" : "http://") + host + ":" + std::to_string(port);
}

}  // namespace

base::Result<void, std::string> serve(const Options& options) {
  base::configure_log(options.log_level, options.log_format);
  DINETTE_TRY(auto credentials, credentials_of(options));
  const auto server_settings = server_options(options);
  EndSignals end;

  const base::SystemClock clock;
  base::SystemIds ids;
  const auto engine = kv::make_memory_engine();
  store::Store store(*engine, clock, ids, dynamodb::face());
  dynamodb::Service service(service_options(options, std::move(credentials)), store, clock, ids);
  net::Server server(server_settings, [&](const net::HttpRequest& request, net::HttpReply& reply) {
    service.handle(request, reply);
  });

  DINETTE_TRY(const auto port, server.start());
  std::cout << "dinette: ready on " << url_of(options, server_settings.tls.has_value(), port) << std::endl;
  end.wait();
  server.stop(kDrainDeadline);
  return {};
}

}  // namespace dinette::app
