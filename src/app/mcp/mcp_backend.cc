#include "app/mcp/mcp_backend.h"

#include <array>
#include <chrono>
#include <iostream>
#include <optional>
#include <utility>
#include <vector>

#include "dinette/admin/api.h"
#include "dinette/http/message.h"

#include "app/called_server.h"
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
  return mcp::Reply{reply->status, std::move(reply->body)};
}

class RemoteBackend final : public Backend {
 public:
  RemoteBackend(tcp::Remote server, std::string admin_token, const base::Clock& clock)
      : operations_(std::move(server), identity_of_environment(), clock),
        admin_token_(std::move(admin_token)) {}

  std::optional<std::string> why_absent() const { return operations_.why_absent(start_patience); }

  Outcome operate(std::string_view world, std::string_view operation, std::string_view request) override {
    return outcome_of(operations_.call_in(world, operation, request));
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
  LocalBackend(std::unique_ptr<dynamodb::Instance> instance, const Options& options, const base::Clock& clock)
      : instance_(std::move(instance)),
        operations_(instance_->service()),
        admin_(admin_settings(options), instance_->worlds(), clock) {}

  LocalOperations& operations() { return operations_; }

  Outcome operate(std::string_view world, std::string_view operation, std::string_view request) override {
    return outcome_of(operations_.call_in(world, operation, request));
  }

  Outcome administrate(std::string_view method, std::string_view target, std::string_view body) override {
    const std::array<http::Header, 1> headers{http::Header{"Host", "localhost"}};
    http::Response response;
    admin_.handle(
        {.method = method, .target = target, .headers = headers, .body = body, .remote = "127.0.0.1:0"},
        response);
    return mcp::Reply{response.status, std::move(response.body)};
  }

 private:
  const std::unique_ptr<dynamodb::Instance> instance_;
  LocalOperations operations_;
  admin::Api admin_;
};

}  // namespace

base::Result<std::unique_ptr<Backend>, std::string> open_mcp_backend(const Options& options,
                                                                     OpenDataFolder open_data_folder,
                                                                     const base::Clock& clock,
                                                                     base::Ids& ids) {
  if (!options.source.empty()) {
    if (!is_url(options.source)) {
      return base::Failure{
          "'" + options.source +
          "' is not the URL of a server, such as http://127.0.0.1:8000; for a data folder use --data"};
    }
    DINETTE_TRY(auto server, read_url(options.source));
    auto backend = std::make_unique<RemoteBackend>(std::move(server), options.admin_token, clock);
    // The server may be started later, and the language model's program shows what is written here.
    if (const auto absent = backend->why_absent())
      std::cerr << "dinette: " << *absent << " Until it does, the tools fail.\n";
    return std::unique_ptr<Backend>(std::move(backend));
  }
  DINETTE_TRY(auto engines, engines_of(options, open_data_folder));
  DINETTE_TRY(auto instance, open_instance({.service = without_hurdles(service_settings(options, {})),
                                            .engines = std::move(engines)},
                                           clock, ids));
  auto backend = std::make_unique<LocalBackend>(std::move(instance), options, clock);
  if (!options.load_folder.empty())
    DINETTE_CHECK(load_tables(backend->operations(), options.load_folder, clock, ids, [] { return false; }));
  return std::unique_ptr<Backend>(std::move(backend));
}

}  // namespace dinette::app
