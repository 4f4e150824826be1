#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/lambda/function_places.h"
#include "dinette/lambda/pollers.h"
#include "dinette/lambda/service.h"
#include "dinette/lambda/triggers.h"
#include "dinette/tenancy/world.h"

#include "lambda/api/mapping_record.h"
#include "lambda/api/trigger_record.h"

namespace dinette::lambda {

/// Makes and changes the mappings of triggers, and gives tables' new streams to the triggers that follow
/// them. Thread-safe.
class TriggerKeeper {
 public:
  /// `changed` is called after each committed change of a mapping. What the settings refer to must outlive
  /// the keeper.
  TriggerKeeper(const PollersSettings& settings, MappingsChanged changed);

  kv::Result<std::vector<TriggerState>> list(tenancy::World& world) const;
  kv::Result<std::optional<std::string>> replace(tenancy::World& world, std::vector<Trigger> triggers);

  /// Has triggers follow the tables of a world that was opened.
  void resume(tenancy::World& world);

  /// Returns where the function of a mapping is; nothing if that is not known.
  std::optional<FunctionPlace> place_of(store::Store& store, const api::MappingRecord& mapping) const;

  /// Makes the mappings of triggers whose tables have a new stream.
  kv::Result<void> follow_tables(tenancy::World& world);

 private:
  /// Where triggers are kept.
  struct Place {
    tenancy::World& world;
    std::string_view name_space;
    store::Store& store;
  };

  Place place_in(tenancy::World& world) const;
  void watch_tables(tenancy::World& world);
  kv::Result<std::string> stream_of(const Place& place, const api::TriggerRecord& trigger) const;
  kv::Result<void> map(const Place& place, api::TriggerRecord& trigger, std::string stream);
  kv::Result<void> unmap(const Place& place, const api::TriggerRecord& trigger);
  kv::Result<void> take_settings(const Place& place, const api::TriggerRecord& trigger);
  kv::Result<TriggerState> state_of(const Place& place, const api::TriggerRecord& trigger) const;
  kv::Result<void> describe(const Place& place, const api::MappingRecord& mapping, TriggerState& state) const;
  /// What a replacement of the triggers is to do.
  struct Replacement;
  kv::Result<std::optional<std::string>> problem_of(const Place& place,
                                                    const std::vector<Trigger>& triggers) const;
  api::TriggerRecord record_of(const Trigger& trigger) const;
  kv::Result<Replacement> plan(const Place& place, const std::vector<Trigger>& triggers) const;
  kv::Result<std::optional<std::string>> clash_of(const Place& place, const Replacement& replacement) const;
  kv::Result<void> carry_out(const Place& place, Replacement& replacement);
  void keep_commands(const std::vector<Trigger>& triggers);
  std::optional<FunctionCommand> command_of(std::string_view trigger) const;

  const PollersSettings& settings_;
  const MappingsChanged changed_;
  const std::string name_space_;  ///< in which triggers are
  std::mutex changes_;            ///< held while triggers are changed
  mutable std::mutex mutex_;
  /// The words of commands by the names of triggers. They are not stored: a folder of data must not start
  /// programs. Guarded by mutex_.
  std::map<std::string, FunctionCommand, std::less<>> commands_;
};

}  // namespace dinette::lambda
