#include "dinette/dynamodb/instance.h"

#include <utility>

namespace dinette::dynamodb {

tenancy::WorldsOptions worlds_options(const ServiceOptions& service, std::shared_ptr<kv::Engines> engines) {
  tenancy::WorldsOptions worlds;
  worlds.engines = std::move(engines);
  worlds.faces = {world_face({service.time_to_live_delay, service.objects, service.stream_retention,
                              service.recovery_window, service.kinesis, service.replication_lag})};
  worlds.store.history = service.index_lag + service.stale_reads;
  return worlds;
}

kv::Result<std::unique_ptr<Instance>> Instance::open(InstanceOptions options, const base::Clock& clock,
                                                     base::Ids& ids) {
  tenancy::WorldsOptions settings = worlds_options(options.service, std::move(options.engines));
  for (tenancy::WorldFace& face : options.other_faces) settings.faces.push_back(std::move(face));
  settings.run_jobs = options.run_jobs;
  DINETTE_TRY(auto worlds, tenancy::Worlds::open(std::move(settings), clock, ids));
  return std::make_unique<Instance>(std::move(worlds), std::move(options.service), clock, ids);
}

Instance::Instance(std::unique_ptr<tenancy::Worlds> worlds, ServiceOptions service, const base::Clock& clock,
                   base::Ids& ids)
    : worlds_(std::move(worlds)), service_(std::move(service), *worlds_, clock, ids) {}

}  // namespace dinette::dynamodb
