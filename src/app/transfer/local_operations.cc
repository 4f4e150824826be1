#include "app/transfer/local_operations.h"

#include <system_error>
#include <utility>

#include "dinette/aws/json_service.h"
#include "dinette/dynamodb/local_call.h"
#include "dinette/tenancy/world_header.h"

#include "app/database_url.h"
#include "app/open_instance.h"
#include "app/options.h"
#include "app/service_settings.h"

namespace dinette::app {
namespace {

/// The operations of an instance of their own.
class InstanceOperations final : public Operations {
 public:
  InstanceOperations(std::unique_ptr<dynamodb::Instance> instance, const Options& options,
                     const dynamodb::ServiceOptions& service, const base::Clock& clock, base::Ids& ids)
      : instance_(std::move(instance)),
        others_(options, service, {}, instance_->worlds(), clock, ids),
        operations_(instance_->service(), &others_) {}

  base::Result<OperationReply, NoReply> call(std::string_view operation, std::string_view request) override {
    return operations_.call(operation, request);
  }
  base::Result<OperationReply, NoReply> call_service(const ServiceCall& call) override {
    return operations_.call_service(call);
  }

 private:
  const std::unique_ptr<dynamodb::Instance> instance_;
  OtherServices others_;
  LocalOperations operations_;
};

}  // namespace

dynamodb::ServiceOptions without_hurdles(dynamodb::ServiceOptions options) {
  options.auth.mode = aws::AuthMode::none;
  options.state_delay = {};
  options.index_state_delay = {};
  return options;
}

base::Result<OperationReply, NoReply> LocalOperations::call(std::string_view operation,
                                                            std::string_view request) {
  return call_in(tenancy::default_world, operation, request);
}

base::Result<OperationReply, NoReply> LocalOperations::call_service(const ServiceCall& call) {
  return others_ == nullptr ? Operations::call_service(call) : others_->call(call, tenancy::default_world);
}

base::Result<OperationReply, NoReply> LocalOperations::call_in(std::string_view world,
                                                               std::string_view operation,
                                                               std::string_view request, bool explain) {
  http::Response reply = dynamodb::call_locally(service_, operation, request,
                                                world.empty() ? tenancy::default_world : world, explain);
  std::string explanation(aws::explanation_of(reply));
  return OperationReply{reply.status, std::move(reply.body), std::move(explanation)};
}

base::Result<std::unique_ptr<Operations>, std::string> open_place(const DataOpeners& openers,
                                                                  const std::string& place, bool make,
                                                                  const base::Clock& clock, base::Ids& ids) {
  std::error_code error;
  const bool may_be_empty = make || is_database(place);
  if (!may_be_empty &&
      (!std::filesystem::is_directory(place, error) || std::filesystem::is_empty(place, error))) {
    return base::Failure{
        "'" + place + "' is neither the URL of a server, such as http://127.0.0.1:8000, nor a data folder"};
  }
  const Options options;
  kv::DataFolderOptions settings = data_folder_settings(options);
  settings.read_only = !make && !is_database(place);  // servers may write to a database meanwhile
  DINETTE_TRY(auto engines, open_engines(openers, place, settings));
  const auto service = without_hurdles(service_settings(options, {}));
  DINETTE_TRY(
      auto instance,
      open_instance({.service = service, .engines = std::move(engines), .run_jobs = make},  // they write
                    clock, ids));
  return std::unique_ptr<Operations>(
      std::make_unique<InstanceOperations>(std::move(instance), options, service, clock, ids));
}

}  // namespace dinette::app
