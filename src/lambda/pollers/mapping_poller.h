#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/ids.h"
#include "dinette/deliveries/lanes.h"
#include "dinette/lambda/function_target.h"
#include "dinette/lambda/stream_sources.h"
#include "dinette/tenancy/world.h"

#include "lambda/api/mapping_record.h"
#include "lambda/mappings/kept_mappings.h"
#include "lambda/pollers/part_lane.h"

namespace dinette::lambda {

/// What the pollers of all mappings work with. What is referred to must outlive them.
struct PollerSettings {
  StreamSources& sources;
  /// Returns where the function of a mapping is; nothing if that is not known.
  std::function<std::optional<FunctionPlace>(store::Store& store, const api::MappingRecord& mapping)> place;
  std::chrono::milliseconds timeout;  ///< of a call
  objects::ObjectStore* objects;      ///< for documents about discarded records; null: none
  base::Ids& ids;
};

/// Has the shards of one mapping delivered, each after its parents, with the settings that the mapping has
/// (docs/service/triggers.md section 2). It is woken when a shard is done or the mapping has changed, and
/// ends with the mapping.
class MappingPoller final : public deliveries::Lane {
 public:
  /// Returns the name of the lane of a mapping.
  static std::string name_of(std::string_view name_space, std::string_view uuid);

  MappingPoller(std::shared_ptr<const PollerSettings> settings, tenancy::World& world,
                std::string_view name_space, std::string uuid);

  kv::Result<deliveries::Pause> step(const std::stop_token& stop) override;

 private:
  std::string place_of(const api::MappingRecord& mapping) const;
  bool run_is_over(const std::optional<api::MappingRecord>& mapping) const;
  kv::Result<deliveries::Pause> finish(const std::optional<api::MappingRecord>& mapping);
  void begin_run(const api::MappingRecord& mapping);
  kv::Result<deliveries::Pause> start_shards();
  kv::Result<deliveries::Pause> leave();
  kv::Result<api::MappingProgress> first_progress_in(deliveries::StreamSource& source,
                                                     const std::string& shard) const;
  kv::Result<void> start(const std::string& shard, api::MappingProgress progress);
  kv::Result<std::unique_ptr<deliveries::StreamSource>> open_source() const;
  std::unique_ptr<FunctionTarget> target() const;

  const std::shared_ptr<const PollerSettings> settings_;
  tenancy::World& world_;
  const std::string name_space_;
  const std::string uuid_;
  const std::shared_ptr<store::Store> store_;
  KeptMappings mappings_;

  // Of the present run: the lanes that work with the same settings.
  std::shared_ptr<MappingRun> run_;  ///< null: there is none
  api::MappingRecord mapping_;       ///< its settings
  std::string place_;                ///< where its function is, for comparison; empty: not known
  std::set<std::string> started_;    ///< shards
  std::vector<std::string> lanes_;
  std::uint64_t last_lane_ = 0;
};

}  // namespace dinette::lambda
