#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "dinette/base/ids.h"
#include "dinette/deliveries/delivery.h"
#include "dinette/deliveries/lanes.h"
#include "dinette/deliveries/stream_source.h"
#include "dinette/lambda/function_target.h"
#include "dinette/tenancy/world.h"

#include "lambda/pollers/shard_progress.h"

namespace dinette::lambda {

/// What the lanes of a mapping share while its settings stay as they are. Thread-safe.
struct MappingRun {
  std::atomic<bool> continues{true};  ///< false: they end after the try that is running
  std::atomic<int> running{0};        ///< lanes that have not ended
  std::string poller = {};            ///< the lane that is woken when one of them ends
  std::mutex result_mutex;
  std::string_view result = {};  ///< of the mapping, as it was noted last; guarded by result_mutex
};

struct PartLaneSettings {
  tenancy::World& world;
  store::Store& store;  ///< of the mapping
  base::Ids& ids;
  std::string uuid;  ///< of the mapping
  std::shared_ptr<MappingRun> run;
  std::shared_ptr<ShardProgress> progress;
  deliveries::Part part;
  deliveries::BatchRule batches;
  deliveries::RetryRule retries;
  std::unique_ptr<deliveries::StreamSource> source;
  std::unique_ptr<FunctionTarget> target;
};

/// Delivers one part of a shard to the function of a mapping, and notes what came of it.
class PartLane final : public deliveries::Lane {
 public:
  explicit PartLane(PartLaneSettings settings);
  ~PartLane() override;

  kv::Result<deliveries::Pause> step(const std::stop_token& stop) override;

 private:
  class ObservedTarget;

  kv::Result<void> end();

  PartLaneSettings settings_;
  const std::unique_ptr<ObservedTarget> target_;
  deliveries::Delivery delivery_;
  bool ended_ = false;
};

}  // namespace dinette::lambda
