#include "app/mcp/mcp_backend.h"

#include <array>
#include <chrono>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include "dinette/admin/api.h"
#include "dinette/http/message.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/observe/report.h"

#include "app/called_server.h"
#include "app/database_url.h"
#include "app/open_instance.h"
#include "app/service_settings.h"
#include "app/transfer/local_operations.h"
#include "app/transfer/remote_operations.h"
#include "app/transfer/transfer_commands.h"

namespace dinette::app {
namespace {

using mcp::Backend;

constexpr std::chrono::milliseconds start_patience{1000};

Backend::Outcome outcome_of(base::Result<OperationReply, NoReply> reply) {
  if (!reply) return base::Failure{std::move(reply).error().message};
  return mcp::Reply{reply->status, std::move(reply->body), std::move(reply->explanation)};
}

class RemoteBackend final : public Backend {
 public:
  RemoteBackend(tcp::Remote server, std::string admin_token, const base::Clock& clock)
      : operations_(std::move(server), identity_of_environment(), clock),
        admin_token_(std::move(admin_token)) {}

  std::optional<std::string> why_absent() const { return operations_.why_absent(start_patience); }

  Outcome operate(std::string_view world, std::string_view operation, std::string_view request,
                  bool explain) override {
    return outcome_of(operations_.call_in(world, operation, request, explain));
  }

  Outcome administrate(std::string_view method, std::string_view target, std::string_view body) override {
    return outcome_of(operations_.administrate(method, target, body, admin_token_));
  }

 private:
  RemoteOperations operations_;
  const std::string admin_token_;
};

/// A server without sockets.
class LocalBackend final : public Backend {
 public:
  /// `clock` and `ids` must outlive it. The error is a sentence for the user.
  static base::Result<std::unique_ptr<LocalBackend>, std::string> open(const Options& options,
                                                                       const DataOpeners& openers,
                                                                       const base::Clock& clock,
                                                                       base::Ids& ids) {
    std::unique_ptr<LocalBackend> backend(new LocalBackend(clock));
    dynamodb::ServiceOptions service = without_hurdles(service_settings(options, {}));
    service.recent = &backend->recent_;
    service.reports = &backend->reports_;
    DINETTE_TRY(auto engines, engines_of(options, openers));
    DINETTE_TRY(backend->instance_,
                open_instance({.service = std::move(service), .engines = std::move(engines)}, clock, ids));
    backend->operations_.emplace(backend->instance_->service());
    admin::ApiOptions administration = admin_settings(options);
    administration.recent = &backend->recent_;
    administration.reports = &backend->reports_;
    backend->admin_.emplace(std::move(administration), backend->instance_->worlds(), clock);
    return backend;
  }

  LocalOperations& operations() { return *operations_; }

  Outcome operate(std::string_view world, std::string_view operation, std::string_view request,
                  bool explain) override {
    return outcome_of(operations_->call_in(world, operation, request, explain));
  }

  Outcome administrate(std::string_view method, std::string_view target, std::string_view body) override {
    const std::array<http::Header, 1> headers{http::Header{"Host", "localhost"}};
    http::Response response;
    admin_->handle(
        {.method = method, .target = target, .headers = headers, .body = body, .remote = "127.0.0.1:0"},
        response);
    return mcp::Reply{response.status, std::move(response.body)};
  }

 private:
  explicit LocalBackend(const base::Clock& clock) : reports_(clock) {}

  observe::RecentRequests recent_;
  observe::Reports reports_;
  std::unique_ptr<dynamodb::Instance> instance_;
  std::optional<LocalOperations> operations_;
  std::optional<admin::Api> admin_;
};

}  // namespace

base::Result<std::unique_ptr<Backend>, std::string> open_mcp_backend(const Options& options,
                                                                     const DataOpeners& openers,
                                                                     const base::Clock& clock,
                                                                     base::Ids& ids) {
  if (!options.source.empty()) {
    if (!is_url(options.source)) {
      return base::Failure{
          "'" + shown_place(options.source) +
          "' is not the URL of a server, such as http://127.0.0.1:8000; for a data folder use --data"};
    }
    DINETTE_TRY(auto server, read_url(options.source));
    auto backend = std::make_unique<RemoteBackend>(std::move(server), options.admin_token, clock);
    // The server may be started later, and the language model's program shows what is written here.
    if (const auto absent = backend->why_absent())
      std::cerr << "dinette: " << *absent << " Until it does, the tools fail.\n";
    return std::unique_ptr<Backend>(std::move(backend));
  }
  DINETTE_TRY(auto backend, LocalBackend::open(options, openers, clock, ids));
  if (!options.load_folder.empty())
    DINETTE_CHECK(load_tables(backend->operations(), options.load_folder, Existing::refuse, clock, ids,
                              [] { return false; }));
  return std::unique_ptr<Backend>(std::move(backend));
}

}  // namespace dinette::app
