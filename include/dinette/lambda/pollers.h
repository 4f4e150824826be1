#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/ids.h"
#include "dinette/lambda/function_places.h"
#include "dinette/lambda/stream_sources.h"
#include "dinette/lambda/triggers.h"
#include "dinette/objects/object_store.h"
#include "dinette/tenancy/tenants.h"
#include "dinette/tenancy/world.h"

namespace dinette::lambda {

/// What is referred to must outlive the pollers, and the worlds.
struct PollersSettings {
  StreamSources& sources;
  FunctionPlaces places = {};
  std::chrono::milliseconds timeout = std::chrono::seconds(900);  ///< of a call
  objects::ObjectStore* objects = nullptr;  ///< for documents about discarded records; null: none
  base::Ids& ids;
  // Of the triggers that the administration makes.
  tenancy::Isolation isolation = {};
  std::string account = {};
  std::string region = {};
};

/// Has functions called with the records of streams, as the mappings of worlds say: in the background, by the
/// lanes of each world. Thread-safe.
class Pollers final : public Triggers {
 public:
  explicit Pollers(PollersSettings settings);
  ~Pollers() override;

  /// Begins with all mappings of a world: to be called when it is opened (tenancy::WorldFace::resume).
  void resume(tenancy::World& world);

  /// Takes note of a change of a mapping (MappingsChanged).
  void mapping_changed(tenancy::World& world, std::string_view name_space, std::string_view uuid);

  kv::Result<std::vector<TriggerState>> list(tenancy::World& world) override;
  kv::Result<std::optional<std::string>> replace(tenancy::World& world,
                                                 std::vector<Trigger> triggers) override;
  DeliveryLog::Page deliveries(tenancy::World& world, const DeliveryLog::Question& question) override;
  std::shared_ptr<const DeliveryRecord> repeat(tenancy::World& world, std::uint64_t number) override;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::lambda
