#include "app/serve/host.h"

#include <cstddef>
#include <ctime>
#include <utility>
#include <vector>

#include "dinette/aws/json_service.h"
#include "dinette/base/descriptors.h"
#include "dinette/base/log.h"
#include "dinette/base/secret.h"
#include "dinette/http/local_host.h"
#include "dinette/tablestore/browse.h"

#include "app/address.h"
#include "app/called_server.h"
#include "app/open_instance.h"
#include "app/serve/faults_file.h"
#include "app/serve/metrics.h"
#include "app/serve/own_streams.h"
#include "app/serve/server_settings.h"
#include "app/serve/streams_elsewhere.h"
#include "app/serve/triggers_file.h"
#include "app/service_settings.h"

namespace dinette::app {
namespace {

std::unique_ptr<base::Ids> ids_for(const Options& options) {
  if (options.seed) return std::make_unique<base::SeededIds>(*options.seed);
  return std::make_unique<base::SystemIds>();
}

std::time_t seconds_of(base::TimePoint moment) {
  return std::chrono::floor<std::chrono::seconds>(moment).time_since_epoch().count();
}

/// Returns true for most requests: before other services are asked about them, which takes as long as to read
/// a row.
bool is_for_dynamodb(const http::Request& request) {
  return request.target.size() == 1 && request.method == "POST" && aws::has_target_of(request, "DynamoDB");
}

void warn_of_few_connections(const Options& options, std::size_t connections, std::size_t descriptors) {
  if (connections >= options.max_connections) return;
  base::log(base::LogLevel::warn,
            "fewer connections than requested: the limit of open files (ulimit -n) is too low",
            {{"connections", connections}, {"open_files", descriptors}});
}

}  // namespace

base::Result<std::unique_ptr<Host>, std::string> Host::open(const Options& options, HostFiles files,
                                                            const FullProgram* full) {
  std::unique_ptr<Host> host(new Host(options, std::move(files), full));
  DINETTE_CHECK(host->open_data());
  host->open_faces();
  return host;
}

Host::Host(const Options& options, HostFiles files, const FullProgram* full)
    : options_(options),
      full_(full),
      self_signed_(std::move(files.self_signed)),
      ids_(ids_for(options)),
      recent_(options.requests),
      service_options_(service_settings(options, std::move(files.credentials))),
      visitor_token_(needs_visitor_token(options) ? base::make_secret() : "") {
  reports_.set_recording(options.report);
  service_options_.identities = std::move(files.identities);
  service_options_.recent = &recent_;
  service_options_.reports = &reports_;
}

base::Result<void, std::string> Host::open_data() {
  DINETTE_TRY(engines_, engines_of(options_, full_ != nullptr ? full_->openers : DataOpeners()));
  DINETTE_TRY(buckets_, Buckets::open(options_, clock_));
  service_options_.objects = &buckets_.store();
  DINETTE_CHECK(open_kinesis_streams());
  pollers_.emplace(pollers_settings(options_, service_options_, streams_, *ids_));
  DINETTE_TRY(instance_,
              open_instance({.service = service_options_, .engines = engines_}, clock_, *ids_, &*pollers_));
  start_ = clock_.now();
  return {};
}

/// The streams that tables deliver their changes to.
base::Result<void, std::string> Host::open_kinesis_streams() {
  if (options_.kinesis_endpoint.empty()) {
    kinesis_streams_ = std::make_unique<OwnStreams>();
  } else {
    DINETTE_TRY(auto server, read_service_url(options_.kinesis_endpoint));
    kinesis_streams_ =
        std::make_unique<StreamsElsewhere>(std::move(server), identity_of_environment(), clock_);
  }
  service_options_.kinesis = kinesis_streams_.get();
  return {};
}

void Host::open_faces() {
  kinesis_.emplace(face_settings(service_options_), instance_->worlds(), clock_, *ids_);
  auto mappings = lambda_settings(service_options_, streams_);
  mappings.mappings_changed = tell_pollers();
  lambda_.emplace(std::move(mappings), instance_->worlds(), clock_, *ids_);
  tablestore_.emplace(tablestore_settings(options_, service_options_), instance_->worlds(), clock_, *ids_);
  cql_.emplace(cql_settings(options_, service_options_), instance_->worlds(), clock_, *ids_);
  keyspaces_.emplace(keyspaces_settings(options_, service_options_), instance_->worlds(), clock_, *ids_);
  if (objects::BucketStore* const own = buckets_.own()) {
    s3_.emplace(s3::ServiceOptions{.auth = service_options_.auth, .cors_origins = options_.cors_origins},
                *own, clock_, *ids_);
  }
  if (options_.administration) open_administration();
  if (admin_) front_door_.emplace(*admin_, s3_ ? &*s3_ : nullptr);
  faces_.emplace(routes(), std::vector<const observe::RequestCounters*>{&cql_->requests()});
}

lambda::MappingsChanged Host::tell_pollers() {
  return [this](tenancy::World& world, std::string_view name_space, std::string_view uuid) {
    pollers_->mapping_changed(world, name_space, uuid);
  };
}

void Host::open_administration() {
  auto settings = admin_settings(options_, visitor_token_);
  settings.recent = &recent_;
  settings.reports = &reports_;
  settings.triggers = &*pollers_;
  settings.certificate = self_signed_.certificate;
  settings.list_instances = &tablestore::list_instances;
  settings.read_rows = &tablestore::read_rows;
  settings.list_keyspaces = [this](tenancy::World& world) { return cql::list_tables(cql_->scope_in(world)); };
  settings.run_cql = [this](const cql::PromptStatement& statement) { return cql_->run(statement); };
  settings.cql_port = [this] {
    const std::uint16_t port = cql_port_;
    return port != 0 ? std::optional(port) : std::nullopt;
  };
  settings.metrics = [this](observe::MetricsFormat format) { return metrics(format); };
  admin_.emplace(std::move(settings), instance_->worlds(), clock_);
}

/// Which requests are whose. What no other face owns is DynamoDB's, which says what is served.
std::vector<face::Route> Host::routes() {
  face::Face& dynamodb = instance_->service();
  std::vector<face::Route> routes{{&is_for_dynamodb, &dynamodb},
                                  {&tablestore::Service::owns, &*tablestore_},
                                  {&kinesis::Service::owns, &*kinesis_},
                                  {&keyspaces::Service::owns, &*keyspaces_},
                                  {&lambda::Service::owns, &*lambda_},
                                  {&dynamodb::Service::owns, &dynamodb},
                                  {&admin::Api::owns, admin_ ? &*admin_ : &dynamodb}};
  if (front_door_) routes.push_back({&admin::Api::is_shortcut, &*front_door_});
  if (s3_) routes.push_back({&s3::Service::owns, &*s3_});
  routes.push_back({&face::owns_all, &dynamodb});
  return routes;
}

std::string Host::metrics(observe::MetricsFormat format) const {
  return metrics_text(
      {*faces_, instance_->service(), *cql_, *server_, instance_->worlds(), *engines_, start_}, format);
}

base::Result<void, std::string> Host::prepare(const std::function<bool()>& interrupted) {
  if (has_first_tables(options_)) {
    DINETTE_TRY(first_tables_, full_->make_first_tables({options_, service_options_, tell_pollers(),
                                                         instance_->worlds(), clock_, *ids_},
                                                        interrupted));
  }
  if (!options_.faults_file.empty()) {
    DINETTE_TRY(auto rules, read_faults(options_.faults_file));
    const auto replaced = instance_->worlds().find("")->replace_faults(std::move(rules));
    if (!replaced) return base::Failure{replaced.error().message};
  }
  if (!options_.triggers_file.empty()) DINETTE_CHECK(make_triggers());
  return {};
}

base::Result<void, std::string> Host::make_triggers() {
  DINETTE_TRY(auto triggers, read_triggers_file(options_.triggers_file));
  const auto problem = pollers_->replace(*instance_->worlds().find(""), std::move(triggers));
  if (!problem) return base::Failure{problem.error().message};
  if (*problem) return base::Failure{options_.triggers_file + ": " + **problem};
  return {};
}

base::Result<Listening, std::string> Host::listen() {
  http::ServerOptions settings = server_settings(options_, engines_->capabilities().may_block);
  const std::size_t descriptors = base::raise_descriptor_limit();
  const std::size_t connections = connection_limit(options_, descriptors);
  settings.tcp.limits.connections = connections;
  if (settings.tcp.listen.tls) settings.tcp.listen.tls->self_signed = self_signed_;
  settings.date_now = [this] { return seconds_of(clock_.now()); };
  settings.on_refusal = [this](const auto& request, auto& reply) { faces_->refuse(request, reply); };
  const http::ServerOptions of_further_port = settings;
  server_.emplace(std::move(settings),
                  [this](const auto& request, auto& response) { faces_->handle(request, response); });
  for (const RegionPort& port : options_.region_ports) listen_for_region(port, of_further_port);
  if (options_.tablestore_port) listen_for_tablestore(of_further_port);
  if (options_.cql_port) listen_for_cql(of_further_port);
  DINETTE_TRY(const auto port, server_->start());
  warn_of_few_connections(options_, connections, descriptors);
  Listening listening{server_->addresses(), port, network_address(http::own_addresses())};
  const std::vector<std::uint16_t> ports = server_->ports();
  auto further = ports.begin() + 1;
  for (const RegionPort& of_region : options_.region_ports)
    listening.region_ports.push_back({of_region.region, *further++});
  if (options_.tablestore_port) listening.tablestore_port = *further++;
  if (options_.cql_port) listening.cql_port = cql_port_ = *further++;
  return listening;
}

void Host::listen_for_region(const RegionPort& of_region, const http::ServerOptions& settings) {
  tcp::PortOptions port = settings.tcp.listen;
  port.port = of_region.port;
  server_->listen(std::move(port), settings,
                  [this, region = of_region.region](const http::Request& sent, http::Response& response) {
                    http::Request request = sent;
                    request.region = region;
                    faces_->handle(request, response);
                  });
}

/// At the port of its own, all requests are Tablestore's: also those that name no version of its API.
void Host::listen_for_tablestore(const http::ServerOptions& settings) {
  tcp::PortOptions port = settings.tcp.listen;
  port.port = *options_.tablestore_port;
  http::ServerOptions own = settings;
  own.on_refusal = [this](const auto& request, auto& reply) { tablestore_->refuse(request, reply); };
  server_->listen(std::move(port), std::move(own),
                  [this](const auto& request, auto& response) { tablestore_->handle(request, response); });
}

/// Clients find the versions of the protocol by themselves; TLS is that of the server.
void Host::listen_for_cql(const http::ServerOptions& settings) {
  tcp::PortOptions port = settings.tcp.listen;
  port.port = *options_.cql_port;
  server_->listen(std::move(port), *cql_);
}

void Host::stop(std::chrono::milliseconds patience) {
  first_tables_.reset();
  tenancy::Worlds& worlds = instance_->worlds();
  for (const tenancy::ListedWorld& one : worlds.list()) one.world->faults().replace({});  // ends their delays
  recent_.end_waits();
  worlds.request_stop();
  buckets_.stop();
  server_->stop(patience);
}

}  // namespace dinette::app
