#include "app/open_instance.h"

#include <utility>

#include "dinette/kinesis/service.h"

#include "app/service_settings.h"

namespace dinette::app {

base::Result<std::shared_ptr<kv::Engines>, std::string> open_engines(OpenDataFolder open_data_folder,
                                                                     const std::filesystem::path& folder,
                                                                     const kv::DataFolderOptions& settings) {
  auto engines = open_data_folder(folder, settings);
  if (!engines) return base::Failure{std::move(engines).error().message};
  return std::move(engines).value();
}

base::Result<std::shared_ptr<kv::Engines>, std::string> engines_of(const Options& options,
                                                                   OpenDataFolder open_data_folder) {
  if (options.data_folder.empty()) return kv::make_memory_engines();
  return open_engines(open_data_folder, options.data_folder, data_folder_settings(options));
}

base::Result<std::unique_ptr<dynamodb::Instance>, std::string> open_instance(
    dynamodb::InstanceOptions options, const base::Clock& clock, base::Ids& ids) {
  options.other_faces.push_back(kinesis::world_face());
  auto instance = dynamodb::Instance::open(std::move(options), clock, ids);
  if (!instance) return base::Failure{std::move(instance).error().message};
  return std::move(instance).value();
}

}  // namespace dinette::app
