#include "app/serve/host.h"

#include <cstddef>
#include <ctime>
#include <utility>

#include "dinette/base/descriptors.h"
#include "dinette/base/log.h"
#include "dinette/base/secret.h"
#include "dinette/http/local_host.h"

#include "app/address.h"
#include "app/open_instance.h"
#include "app/serve/faults_file.h"
#include "app/serve/metrics.h"
#include "app/serve/server_settings.h"
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
  service_options_.recent = &recent_;
  service_options_.reports = &reports_;
}

base::Result<void, std::string> Host::open_data() {
  DINETTE_TRY(engines_, engines_of(options_, full_ != nullptr ? full_->open_data_folder : nullptr));
  DINETTE_TRY(buckets_, Buckets::open(options_, clock_));
  service_options_.objects = &buckets_.store();
  DINETTE_TRY(instance_, open_instance({.service = service_options_, .engines = engines_}, clock_, *ids_));
  start_ = clock_.now();
  return {};
}

void Host::open_faces() {
  kinesis_.emplace(kinesis_settings(service_options_), instance_->worlds(), clock_, *ids_);
  if (objects::BucketStore* const own = buckets_.own()) {
    s3_.emplace(s3::ServiceOptions{.auth = service_options_.auth, .cors_origins = options_.cors_origins},
                *own, clock_, *ids_);
  }
  if (options_.administration) open_administration();
  if (admin_) front_door_.emplace(*admin_, s3_ ? &*s3_ : nullptr);
  faces_.emplace(routes());
}

void Host::open_administration() {
  auto settings = admin_settings(options_, visitor_token_);
  settings.recent = &recent_;
  settings.reports = &reports_;
  settings.certificate = self_signed_.certificate;
  settings.metrics = [this](observe::MetricsFormat format) { return metrics(format); };
  admin_.emplace(std::move(settings), instance_->worlds(), clock_);
}

/// Which requests are whose. What no other face owns is DynamoDB's, which says what is served.
std::vector<face::Route> Host::routes() {
  face::Face& dynamodb = instance_->service();
  std::vector<face::Route> routes{{&kinesis::Service::owns, &*kinesis_},
                                  {&dynamodb::Service::owns, &dynamodb},
                                  {&admin::Api::owns, admin_ ? &*admin_ : &dynamodb}};
  if (front_door_) routes.push_back({&admin::Api::is_shortcut, &*front_door_});
  if (s3_) routes.push_back({&s3::Service::owns, &*s3_});
  routes.push_back({&face::owns_all, &dynamodb});
  return routes;
}

std::string Host::metrics(observe::MetricsFormat format) const {
  return metrics_text({*faces_, instance_->service(), *server_, instance_->worlds(), *engines_, start_},
                      format);
}

base::Result<void, std::string> Host::prepare(const std::function<bool()>& interrupted) {
  if (has_first_tables(options_)) {
    DINETTE_TRY(first_tables_,
                full_->make_first_tables({options_, service_options_, instance_->worlds(), clock_, *ids_},
                                         interrupted));
  }
  if (!options_.faults_file.empty()) {
    DINETTE_TRY(auto rules, read_faults(options_.faults_file));
    instance_->worlds().find("")->faults().replace(std::move(rules));
  }
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
  server_.emplace(std::move(settings),
                  [this](const auto& request, auto& response) { faces_->handle(request, response); });
  DINETTE_TRY(const auto port, server_->start());
  warn_of_few_connections(options_, connections, descriptors);
  return Listening{server_->addresses(), port, network_address(http::own_addresses())};
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
