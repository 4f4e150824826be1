#include "app/transfer/local_operations.h"

#include <system_error>
#include <utility>

#include "dinette/dynamodb/local_call.h"
#include "dinette/tenancy/world_header.h"

#include "app/options.h"
#include "app/server_settings.h"

namespace dinette::app {
namespace {

using base::Failure;

dynamodb::ServiceOptions without_hurdles(dynamodb::ServiceOptions options) {
  options.auth.mode = aws::AuthMode::none;
  options.state_delay = {};
  options.index_state_delay = {};
  return options;
}

/// A data folder and what serves it.
class FolderOperations final : public Operations {
 public:
  FolderOperations(std::unique_ptr<tenancy::Worlds> worlds, const dynamodb::ServiceOptions& options,
                   const base::Clock& clock, base::Ids& ids)
      : worlds_(std::move(worlds)), operations_(options, *worlds_, clock, ids) {}

  base::Result<OperationReply, NoReply> call(std::string_view operation, std::string_view request) override {
    return operations_.call(operation, request);
  }

 private:
  const std::unique_ptr<tenancy::Worlds> worlds_;
  LocalOperations operations_;
};

}  // namespace

LocalOperations::LocalOperations(dynamodb::ServiceOptions options, tenancy::Worlds& worlds,
                                 const base::Clock& clock, base::Ids& ids)
    : service_(without_hurdles(std::move(options)), worlds, clock, ids) {}

base::Result<OperationReply, NoReply> LocalOperations::call(std::string_view operation,
                                                            std::string_view request) {
  return call_in(tenancy::default_world, operation, request);
}

base::Result<OperationReply, NoReply> LocalOperations::call_in(std::string_view world,
                                                               std::string_view operation,
                                                               std::string_view request) {
  http::Response reply =
      dynamodb::call_locally(service_, operation, request, world.empty() ? tenancy::default_world : world);
  return OperationReply{reply.status, std::move(reply.body)};
}

base::Result<std::unique_ptr<tenancy::Worlds>, std::string> open_worlds(OpenDataFolder open_data_folder,
                                                                        const std::filesystem::path& folder,
                                                                        bool make, const base::Clock& clock,
                                                                        base::Ids& ids) {
  std::error_code error;
  if (!make && (!std::filesystem::is_directory(folder, error) || std::filesystem::is_empty(folder, error))) {
    return Failure{"'" + folder.string() +
                   "' is neither the URL of a server, such as http://127.0.0.1:8000, nor a data folder"};
  }
  const Options options;
  kv::DataFolderOptions folder_settings = data_folder_settings(options);
  folder_settings.read_only = !make;
  auto engines = open_data_folder(folder, folder_settings);
  if (!engines) return Failure{engines.error().message};
  tenancy::WorldsOptions settings =
      worlds_settings(service_settings(options, {}), std::move(engines).value());
  settings.run_jobs = make;  // they write
  auto worlds = tenancy::Worlds::open(std::move(settings), clock, ids);
  if (!worlds) return Failure{worlds.error().message};
  return std::move(worlds).value();
}

base::Result<std::unique_ptr<Operations>, std::string> open_folder(OpenDataFolder open_data_folder,
                                                                   const std::filesystem::path& folder,
                                                                   bool make, const base::Clock& clock,
                                                                   base::Ids& ids) {
  DINETTE_TRY(auto worlds, open_worlds(open_data_folder, folder, make, clock, ids));
  return std::unique_ptr<Operations>(
      std::make_unique<FolderOperations>(std::move(worlds), service_settings(Options{}, {}), clock, ids));
}

}  // namespace dinette::app
