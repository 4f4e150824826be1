#include "app/serve/serve.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/admin/api.h"
#include "dinette/base/clock.h"
#include "dinette/base/descriptors.h"
#include "dinette/base/ids.h"
#include "dinette/base/log.h"
#include "dinette/base/secret.h"
#include "dinette/dynamodb/service.h"
#include "dinette/face/faces.h"
#include "dinette/http/local_host.h"
#include "dinette/http/server.h"
#include "dinette/kv/engines.h"
#include "dinette/objects/folder_store.h"
#include "dinette/objects/memory_store.h"
#include "dinette/s3/remote_store.h"
#include "dinette/s3/service.h"
#include "dinette/tenancy/worlds.h"

#include "app/address.h"
#include "app/serve/credentials.h"
#include "app/serve/faults_file.h"
#include "app/serve/greeting.h"
#include "app/serve/last_deadline.h"
#include "app/serve/metrics.h"
#include "app/serve/place_of_data.h"
#include "app/serve/self_signed_file.h"
#include "app/server_settings.h"
#include "app/signals.h"
#include "app/transfer/local_operations.h"
#include "app/transfer/transfer_commands.h"

namespace dinette::app {
namespace {

// How long a signal waits for requests in progress, and for everything: less than the ten seconds that
// container engines wait.
constexpr std::chrono::seconds drain_deadline{8};
constexpr std::chrono::seconds last_patience{9};
constexpr std::chrono::milliseconds log_patience{200};

base::Result<aws::Credentials, std::string> credentials_of(const Options& options) {
  if (options.credentials_file.empty()) return aws::Credentials{};
  return read_credentials(options.credentials_file);
}

std::unique_ptr<base::Ids> ids_for(const Options& options) {
  if (options.seed) return std::make_unique<base::SeededIds>(*options.seed);
  return std::make_unique<base::SystemIds>();
}

void warn_of_few_connections(const Options& options, std::size_t connections, std::size_t descriptors) {
  if (connections >= options.max_connections) return;
  base::log(base::LogLevel::warn,
            "fewer connections than requested: the limit of open files (ulimit -n) is too low",
            {{"connections", connections}, {"open_files", descriptors}});
}

[[noreturn]] void end_without_waiting(std::string_view cut) {
  base::log(base::LogLevel::error, "stopping takes too long; the program ends", {{"cut", cut}});
  base::flush_log(log_patience);
  std::_Exit(1);
}

/// Returns the self-signed certificate to serve with; an empty one if there is to be none.
base::Result<tcp::SelfSigned, std::string> self_signed_of(const Options& options, std::time_t now) {
  if (!options.tls_self_signed) return tcp::SelfSigned{};
  return options.self_signed_file.empty() ? create_self_signed(now)
                                          : keep_self_signed(options.self_signed_file, now);
}

std::time_t seconds_of(base::TimePoint moment) {
  return std::chrono::floor<std::chrono::seconds>(moment).time_since_epoch().count();
}

base::Result<std::shared_ptr<kv::Engines>, std::string> engines_of(const Options& options,
                                                                   OpenDataFolder open_data_folder) {
  if (options.data_folder.empty()) return kv::make_memory_engines();
  auto opened = open_data_folder(options.data_folder, data_folder_settings(options));
  if (!opened) return base::Failure{std::move(opened).error().message};
  return std::move(opened).value();
}

base::Result<std::unique_ptr<tenancy::Worlds>, std::string> open_worlds(tenancy::WorldsOptions settings,
                                                                        const base::Clock& clock,
                                                                        base::Ids& ids) {
  auto opened = tenancy::Worlds::open(std::move(settings), clock, ids);
  if (!opened) return base::Failure{std::move(opened).error().message};
  return std::move(opened).value();
}

base::Result<std::unique_ptr<objects::BucketStore>, std::string> open_objects(const Options& options,
                                                                              const base::Clock& clock) {
  const std::filesystem::path folder = s3_folder(options);
  if (folder.empty()) return objects::make_memory_store(clock);
  auto opened =
      objects::open_folder_store(folder, clock, options.sync ? objects::sync_to_disk : objects::SyncFile());
  if (!opened) return base::Failure{"--s3 " + folder.string() + ": " + opened.error().message};
  return std::move(opened).value();
}

base::Result<std::unique_ptr<s3::RemoteStore>, std::string> remote_objects(const Options& options,
                                                                           const base::Clock& clock) {
  if (options.s3_endpoint.empty()) return std::unique_ptr<s3::RemoteStore>();
  DINETTE_TRY(auto settings, remote_settings(options));
  return std::make_unique<s3::RemoteStore>(std::move(settings), clock);
}

/// Returns who answers what. `admin` and `s3` may be null: then the service says what is served.
std::vector<face::Route> routes_of(dynamodb::Service& service, face::Face* admin, face::Face* s3) {
  std::vector<face::Route> routes{{&dynamodb::Service::owns, &service},
                                  {&admin::Api::owns, admin ? admin : &service}};
  if (s3) routes.push_back({&s3::Service::owns, s3});
  routes.push_back({&face::owns_all, &service});
  return routes;
}

void print(const observe::Reports& reports) {
  for (const std::string& world : reports.worlds()) std::cout << "\n" << text_of(reports.of(world));
  std::cout << std::flush;
}

}  // namespace

base::Result<void, std::string> serve(const Options& given, OpenDataFolder open_data_folder) {
  Options options = given;
  DINETTE_TRY(options.data_folder, place_of_data(given));
  base::configure_log(options.log_level, options.log_format);
  DINETTE_TRY(auto credentials, credentials_of(options));
  DINETTE_TRY(const auto self_signed, self_signed_of(options, std::time(nullptr)));
  EndSignals end;
  std::atomic<const char*> waiting_for = "requests in progress";
  std::optional<LastDeadline> last_deadline;  // outlives everything below

  const base::SystemClock clock;
  const auto ids = ids_for(options);
  observe::RecentRequests recent;
  auto service_options = service_settings(options, std::move(credentials));
  observe::Reports reports(clock);
  reports.set_recording(options.report);
  service_options.recent = &recent;
  service_options.reports = &reports;
  DINETTE_TRY(const auto engines, engines_of(options, open_data_folder));
  DINETTE_TRY(const auto elsewhere, remote_objects(options, clock));
  std::unique_ptr<objects::BucketStore> buckets;
  if (!elsewhere) {
    DINETTE_TRY(buckets, open_objects(options, clock));
  }
  service_options.objects = elsewhere ? static_cast<objects::ObjectStore*>(elsewhere.get()) : buckets.get();
  DINETTE_TRY(const auto opened, open_worlds(worlds_settings(service_options, engines), clock, *ids));
  tenancy::Worlds& worlds = *opened;
  dynamodb::Service service(service_options, worlds, clock, *ids);
  std::optional<s3::Service> s3;
  if (buckets)
    s3.emplace(s3::ServiceOptions{.auth = service_options.auth, .cors_origins = options.cors_origins},
               *buckets, clock, *ids);

  const base::TimePoint start = clock.now();
  const http::Server* metered = nullptr;
  std::optional<face::Faces> faces;
  std::optional<admin::Api> admin;
  const std::string visitor_token = needs_visitor_token(options) ? base::make_secret() : "";
  if (options.administration) {
    auto settings = admin_settings(options, visitor_token);
    settings.recent = &recent;
    settings.reports = &reports;
    settings.certificate = self_signed.certificate;
    settings.metrics = [&] { return metrics_text({*faces, service, *metered, worlds, *engines, start}); };
    admin.emplace(std::move(settings), worlds, clock);
  }
  faces.emplace(routes_of(service, admin ? &*admin : nullptr, s3 ? &*s3 : nullptr));

  if (!options.load_folder.empty()) {
    auto quiet = service_options;  // loading is not a client's request
    quiet.reports = nullptr;
    LocalOperations operations(quiet, worlds, clock, *ids);
    DINETTE_CHECK(load_tables(operations, options.load_folder, clock, *ids, [&] { return end.arrived(); }));
  }

  if (!options.faults_file.empty()) {
    DINETTE_TRY(auto rules, read_faults(options.faults_file));
    worlds.find("")->faults().replace(std::move(rules));
  }

  http::ServerOptions settings = server_settings(options, engines->capabilities().may_block);
  const std::size_t descriptors = base::raise_descriptor_limit();
  const std::size_t connections = connection_limit(options, descriptors);
  settings.tcp.limits.connections = connections;
  if (settings.tcp.listen.tls) settings.tcp.listen.tls->self_signed = self_signed;
  settings.date_now = [&] { return seconds_of(clock.now()); };
  settings.on_refusal = [&](const auto& request, auto& reply) { faces->refuse(request, reply); };
  http::Server server(std::move(settings),
                      [&](const auto& request, auto& response) { faces->handle(request, response); });
  metered = &server;

  DINETTE_TRY(const auto port, server.start());
  warn_of_few_connections(options, connections, descriptors);
  const Listening listening{server.addresses(), port, network_address(http::own_addresses())};
  std::cout << greeting(options, listening, admin::has_page(), visitor_token) << std::flush;
  end.wait();
  last_deadline.emplace(last_patience, [&] { end_without_waiting(waiting_for.load()); });
  for (const tenancy::ListedWorld& one : worlds.list()) one.world->faults().replace({});  // ends their delays
  recent.end_waits();
  worlds.request_stop();
  if (elsewhere) elsewhere->stop();
  server.stop(drain_deadline);
  if (options.report) print(reports);
  waiting_for = "work in the background";
  return {};
}

}  // namespace dinette::app
