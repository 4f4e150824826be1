#include "app/open_instance.h"

#include <utility>

#include "dinette/cql/service.h"
#include "dinette/kinesis/service.h"
#include "dinette/lambda/service.h"
#include "dinette/tablestore/service.h"

#include "app/database_url.h"
#include "app/service_settings.h"

namespace dinette::app {

base::Result<std::shared_ptr<kv::Engines>, std::string> open_engines(const DataOpeners& openers,
                                                                     const std::string& place,
                                                                     const kv::DataFolderOptions& settings) {
  auto engines = is_database(place) ? openers.database(place, {.read_only = settings.read_only})
                                    : openers.folder(place, settings);
  if (!engines) return base::Failure{shown_message(std::move(engines).error().message, place)};
  return std::move(engines).value();
}

base::Result<std::shared_ptr<kv::Engines>, std::string> engines_of(const Options& options,
                                                                   const DataOpeners& openers) {
  if (!options.store.empty()) {
    auto engines = openers.database(options.store, {});
    if (!engines)
      return base::Failure{"--store: " + shown_message(std::move(engines).error().message, options.store)};
    return std::move(engines).value();
  }
  if (options.data_folder.empty()) return kv::make_memory_engines();
  return open_engines(openers, options.data_folder, data_folder_settings(options));
}

base::Result<std::unique_ptr<dynamodb::Instance>, std::string> open_instance(
    dynamodb::InstanceOptions options, const base::Clock& clock, base::Ids& ids, lambda::Pollers* pollers) {
  options.other_faces.push_back(kinesis::world_face());
  options.other_faces.push_back(lambda::world_face(pollers));
  options.other_faces.push_back(tablestore::world_face());
  options.other_faces.push_back(cql::world_face());
  auto instance = dynamodb::Instance::open(std::move(options), clock, ids);
  if (!instance) return base::Failure{std::move(instance).error().message};
  return std::move(instance).value();
}

}  // namespace dinette::app
