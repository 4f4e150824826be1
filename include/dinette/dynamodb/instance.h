#pragma once

#include <memory>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/service.h"
#include "dinette/kv/engines.h"
#include "dinette/kv/error.h"
#include "dinette/tenancy/worlds.h"

namespace dinette::dynamodb {

/// Returns what worlds need so that a service with these options can answer in them.
tenancy::WorldsOptions worlds_options(const ServiceOptions& service, std::shared_ptr<kv::Engines> engines);

struct InstanceOptions {
  ServiceOptions service = {};
  /// Keep the data.
  std::shared_ptr<kv::Engines> engines = kv::make_memory_engines();
  /// Front ends in addition to DynamoDB, whose data the worlds have, too.
  std::vector<tenancy::WorldFace> other_faces = {};
  /// If false, there is no background work: for data that must not change.
  bool run_jobs = true;
};

/// A DynamoDB without ports: the worlds of some engines, and a service that answers in them. Whatever opens
/// data is its user: the server, exports and imports of a folder, the tools of `dinette mcp`, `dinette
/// check`, the embedded service. Clock and ids come from outside, since object stores need them too.
/// Thread-safe.
///
///     const base::SystemClock clock;
///     base::SystemIds ids;
///     const auto instance = Instance::open({.engines = engines}, clock, ids).value();
///     call_locally(instance->service(), "ListTables", "{}");
class Instance {
 public:
  /// Opens the worlds that the engines kept. Fails if the data cannot be read. `clock`, `ids` and whatever
  /// the options refer to must outlive the instance.
  static kv::Result<std::unique_ptr<Instance>> open(InstanceOptions options, const base::Clock& clock,
                                                    base::Ids& ids);
  /// For open(): `worlds` are those of worlds_options().
  Instance(std::unique_ptr<tenancy::Worlds> worlds, ServiceOptions service, const base::Clock& clock,
           base::Ids& ids);

  tenancy::Worlds& worlds() { return *worlds_; }
  Service& service() { return service_; }

 private:
  const std::unique_ptr<tenancy::Worlds> worlds_;
  Service service_;
};

}  // namespace dinette::dynamodb
