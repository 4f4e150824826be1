#include "lambda/triggers/trigger_keeper.h"

#include <algorithm>
#include <set>
#include <utility>

#include "dinette/base/log.h"

#include "lambda/api/enums.h"
#include "lambda/api/mapping_transition.h"
#include "lambda/api/window_progress.h"
#include "lambda/filters/filter_pattern.h"
#include "lambda/mappings/first_progress.h"
#include "lambda/mappings/kept_mappings.h"
#include "lambda/mappings/mapping_state.h"
#include "lambda/mappings/mapping_status.h"
#include "lambda/request/context.h"
#include "lambda/triggers/kept_triggers.h"
#include "lambda/triggers/trigger_settings.h"

namespace dinette::lambda {
namespace {

using deliveries::Pause;

constexpr const char* watch_name = "tables of triggers";

/// Returns true if two triggers read the same for the same function, so that one goes on where the other is.
bool have_same_ends(const api::TriggerRecord& one, const api::TriggerRecord& other) {
  const bool same_source =
      one.table ? one.table == other.table
                : !other.table && one.settings.event_source_arn == other.settings.event_source_arn;
  return same_source && one.settings.function_arn == other.settings.function_arn;
}

/// Returns false for a trigger that has the mapping that it will always have.
bool may_need_mapping(const api::TriggerRecord& trigger) {
  return trigger.table || trigger.settings.uuid.empty();
}

/// Looks for new streams of tables whenever something is appended or a table changes.
class TableWatch final : public deliveries::Lane {
 public:
  TableWatch(TriggerKeeper& keeper, tenancy::World& world) : keeper_(keeper), world_(world) {}

  kv::Result<Pause> step(const std::stop_token&) override {
    DINETTE_CHECK(keeper_.follow_tables(world_));
    return Pause{Pause::Until::appended};
  }

 private:
  TriggerKeeper& keeper_;
  tenancy::World& world_;
};

}  // namespace

TriggerKeeper::TriggerKeeper(const PollersSettings& settings, MappingsChanged changed)
    : settings_(settings),
      changed_(std::move(changed)),
      name_space_(settings.isolation.regions ? settings.region : "") {}

TriggerKeeper::Place TriggerKeeper::place_in(tenancy::World& world) const {
  return {world, name_space_, *world.store(face_id, name_space_)};
}

void TriggerKeeper::resume(tenancy::World& world) {
  const auto triggers = KeptTriggers(place_in(world).store).all();
  if (!triggers) {
    base::log(base::LogLevel::error, "triggers could not be looked for",
              {{"reason", triggers.error().message}});
    return;
  }
  if (std::ranges::any_of(*triggers, may_need_mapping)) watch_tables(world);
}

void TriggerKeeper::watch_tables(tenancy::World& world) {
  world.lanes().add(watch_name, std::make_shared<TableWatch>(*this, world));
}

kv::Result<void> TriggerKeeper::follow_tables(tenancy::World& world) {
  const std::lock_guard guard(changes_);
  const Place place = place_in(world);
  DINETTE_TRY(auto triggers, KeptTriggers(place.store).all());
  for (api::TriggerRecord& trigger : triggers) {
    if (!may_need_mapping(trigger)) continue;
    DINETTE_TRY(std::string stream, stream_of(place, trigger));
    const bool is_new = stream != trigger.settings.event_source_arn || trigger.settings.uuid.empty();
    if (stream.empty() || !is_new) continue;
    // The mapping of the stream before ends by itself when that has been delivered. All of a stream that was
    // not there when the trigger was made is new.
    if (trigger.table) trigger.settings.starting_position = api::StartingPosition::trim_horizon;
    DINETTE_CHECK(map(place, trigger, std::move(stream)));
  }
  return {};
}

/// Returns the ARN of the stream that a trigger is to read now; empty: its table has none.
kv::Result<std::string> TriggerKeeper::stream_of(const Place& place,
                                                 const api::TriggerRecord& trigger) const {
  if (!trigger.table) return trigger.settings.event_source_arn;
  return settings_.sources.stream_of_table(place.world, place.name_space, *trigger.table);
}

/// Makes the mapping of a trigger and a stream.
kv::Result<void> TriggerKeeper::map(const Place& place, api::TriggerRecord& trigger, std::string stream) {
  trigger.settings.uuid = settings_.ids.uuid();
  trigger.settings.event_source_arn = std::move(stream);
  const base::TimePoint now = place.world.clock().now();
  begin_transition(trigger.settings, api::MappingState::creating, now, std::chrono::milliseconds(0));
  const Context context{.world = place.world,
                        .name_space = place.name_space,
                        .store = place.store,
                        .now = now,
                        .state_delay = std::chrono::milliseconds(0),
                        .account = trigger.settings.account,
                        .region = trigger.settings.region,
                        .sources = &settings_.sources,
                        .mappings_changed = changed_};
  const auto progress = first_progress(context, trigger.settings);
  if (!progress) return base::Failure{kv::Error{kv::ErrorKind::io, progress.error().message}};
  DINETTE_TRY(const auto added, KeptMappings(place.store).add(trigger.settings, *progress));
  if (added.outcome != KeptMappings::Outcome::done) {
    DINETTE_TRY(const auto other, KeptMappings(place.store).find(added.other));
    if (!other || other->trigger != trigger.name) {
      return base::Failure{kv::Error{kv::ErrorKind::io, "there is a mapping of " +
                                                            trigger.settings.function_arn + " and " +
                                                            trigger.settings.event_source_arn + " already"}};
    }
    // The server ended after it had made the mapping, and before it noted that.
    trigger.settings.uuid = added.other;
  }
  DINETTE_CHECK(KeptTriggers(place.store).put(trigger));
  changed_(place.world, place.name_space, trigger.settings.uuid);
  return {};
}

/// Ends the mappings of a trigger. Of a table that was made again there are several, until what the former
/// streams have is delivered.
kv::Result<void> TriggerKeeper::unmap(const Place& place, const api::TriggerRecord& trigger) {
  std::vector<std::string> uuids;
  const auto take = [&](const api::MappingRecord& mapping) {
    if (mapping.trigger == trigger.name && !is_deleting(mapping)) uuids.push_back(mapping.uuid);
    return true;
  };
  DINETTE_CHECK(KeptMappings(place.store).for_each("", take));
  const auto end = [&](api::MappingRecord& mapping) {
    begin_transition(mapping, api::MappingState::deleting, place.world.clock().now(),
                     std::chrono::milliseconds(0));
    return true;
  };
  for (const std::string& uuid : uuids) {
    DINETTE_CHECK(KeptMappings(place.store).change(uuid, end));
    changed_(place.world, place.name_space, uuid);
  }
  return {};
}

/// Gives the settings of a trigger to its mapping.
kv::Result<void> TriggerKeeper::take_settings(const Place& place, const api::TriggerRecord& trigger) {
  const std::string& uuid = trigger.settings.uuid;
  if (uuid.empty()) return {};
  const auto take = [&](api::MappingRecord& mapping) {
    if (is_deleting(mapping)) return false;
    api::MappingRecord changed = trigger.settings;
    changed.event_source_arn = mapping.event_source_arn;
    changed.starting_position = mapping.starting_position;
    changed.last_processing_result = mapping.last_processing_result;
    changed.transition.reset();
    changed.last_modified = aws::Timestamp(place.world.clock().now());
    mapping = std::move(changed);
    return true;
  };
  DINETTE_CHECK(KeptMappings(place.store).change(uuid, take));
  changed_(place.world, place.name_space, uuid);
  return {};
}

/// Returns what is wrong with triggers, for people.
kv::Result<std::optional<std::string>> TriggerKeeper::problem_of(const Place& place,
                                                                 const std::vector<Trigger>& triggers) const {
  std::set<std::string> names;
  for (const Trigger& trigger : triggers) {
    const std::string about = "The trigger '" + trigger.name + "': ";
    if (!names.insert(trigger.name).second)
      return std::optional(about + "there is another one of that name.");
    const std::vector<std::string_view> patterns(trigger.filters.begin(), trigger.filters.end());
    if (!FilterCriteria::read(patterns))
      return std::optional(about +
                           "its filters are at most five patterns, JSON objects whose values are lists.");
    if (trigger.stream.empty()) continue;
    DINETTE_TRY(const auto source, settings_.sources.open(place.world, place.name_space, trigger.stream));
    if (!source) return std::optional(about + "there is no stream " + trigger.stream + ".");
  }
  return std::optional<std::string>();
}

struct TriggerKeeper::Replacement {
  std::vector<api::TriggerRecord> ended = {};  ///< triggers that are there and not wanted, or not as they are
  std::vector<api::TriggerRecord> changed = {};  ///< with new settings, as what they were
  /// Triggers to make; the stream of each is empty if its table has none.
  std::vector<api::TriggerRecord> made = {};
};

api::TriggerRecord TriggerKeeper::record_of(const Trigger& trigger) const {
  api::TriggerRecord record;
  record.name = trigger.name;
  if (!trigger.table.empty()) record.table = trigger.table;
  if (!trigger.url.empty()) record.url = trigger.url;
  record.is_command = !trigger.command.empty();
  record.settings = settings_of(trigger, settings_.account, settings_.region);
  return record;
}

kv::Result<TriggerKeeper::Replacement> TriggerKeeper::plan(const Place& place,
                                                           const std::vector<Trigger>& triggers) const {
  Replacement replacement;
  DINETTE_TRY(replacement.ended, KeptTriggers(place.store).all());
  std::int64_t number = 0;
  for (const Trigger& trigger : triggers) {
    api::TriggerRecord record = record_of(trigger);
    record.number = ++number;
    const auto same = std::ranges::find(replacement.ended, record.name, &api::TriggerRecord::name);
    if (same == replacement.ended.end() || !have_same_ends(record, *same)) {
      DINETTE_TRY(record.settings.event_source_arn, stream_of(place, record));
      replacement.made.push_back(std::move(record));
      continue;
    }
    record.settings.uuid = same->settings.uuid;
    record.settings.event_source_arn = same->settings.event_source_arn;
    replacement.changed.push_back(std::move(record));
    replacement.ended.erase(same);
  }
  return replacement;
}

/// Returns which trigger cannot be made because its function and its stream have a mapping, for people.
kv::Result<std::optional<std::string>> TriggerKeeper::clash_of(const Place& place,
                                                               const Replacement& replacement) const {
  std::map<std::string, std::string, std::less<>> made;  // names by the pairs that they will have
  for (const api::TriggerRecord& trigger : replacement.made) {
    const std::string& stream = trigger.settings.event_source_arn;
    if (stream.empty()) continue;
    const std::string about = "The trigger '" + trigger.name + "': ";
    const auto [other, alone] = made.emplace(pair_key(trigger.settings), trigger.name);
    if (!alone)
      return std::optional(about + "'" + other->second + "' calls the same function with that stream.");
    DINETTE_TRY(const std::string holder, KeptMappings(place.store).holder_of(trigger.settings));
    const auto holds = [&](const api::TriggerRecord& one) { return one.settings.uuid == holder; };
    if (!holder.empty() && std::ranges::none_of(replacement.ended, holds))
      return std::optional(about + "there is an event source mapping of its function and " + stream + ": " +
                           holder + ".");
  }
  return std::optional<std::string>();
}

kv::Result<void> TriggerKeeper::carry_out(const Place& place, Replacement& replacement) {
  KeptTriggers kept(place.store);
  for (const api::TriggerRecord& trigger : replacement.ended) {
    DINETTE_CHECK(unmap(place, trigger));
    DINETTE_CHECK(kept.remove(trigger.name));
  }
  for (const api::TriggerRecord& trigger : replacement.changed) {
    DINETTE_CHECK(kept.put(trigger));
    DINETTE_CHECK(take_settings(place, trigger));
  }
  for (api::TriggerRecord& trigger : replacement.made) {
    DINETTE_CHECK(kept.put(trigger));
    std::string stream = trigger.settings.event_source_arn;
    if (!stream.empty()) DINETTE_CHECK(map(place, trigger, std::move(stream)));
  }
  return {};
}

void TriggerKeeper::keep_commands(const std::vector<Trigger>& triggers) {
  const std::lock_guard guard(mutex_);
  for (const Trigger& trigger : triggers) {
    if (trigger.command.empty())
      commands_.erase(trigger.name);
    else
      commands_[trigger.name] = FunctionCommand{trigger.command};
  }
}

kv::Result<std::optional<std::string>> TriggerKeeper::replace(tenancy::World& world,
                                                              std::vector<Trigger> triggers) {
  const std::lock_guard guard(changes_);
  const Place place = place_in(world);
  DINETTE_TRY(auto problem, problem_of(place, triggers));
  if (problem) return problem;
  DINETTE_TRY(Replacement replacement, plan(place, triggers));
  DINETTE_TRY(auto clash, clash_of(place, replacement));
  if (clash) return clash;
  keep_commands(triggers);
  DINETTE_CHECK(carry_out(place, replacement));
  if (!triggers.empty()) watch_tables(world);
  return std::optional<std::string>();
}

std::optional<FunctionCommand> TriggerKeeper::command_of(std::string_view trigger) const {
  const std::lock_guard guard(mutex_);
  const auto found = commands_.find(trigger);
  return found == commands_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<FunctionPlace> TriggerKeeper::place_of(store::Store& store,
                                                     const api::MappingRecord& mapping) const {
  if (mapping.trigger) {
    if (auto command = command_of(*mapping.trigger)) return *std::move(command);
    const auto trigger = KeptTriggers(store).find(*mapping.trigger);
    if (trigger && *trigger && (*trigger)->url) {
      auto place = read_function_url(*(*trigger)->url);
      if (place) return *std::move(place);
    }
  }
  return settings_.places.find(mapping.function_arn);
}

kv::Result<void> TriggerKeeper::describe(const Place& place, const api::MappingRecord& mapping,
                                         TriggerState& state) const {
  state.id = mapping.uuid;
  state.function_arn = mapping.function_arn;
  state.stream_arn = mapping.event_source_arn;
  state.state = to_string(state_at(mapping, place.world.clock().now()).state);
  state.last_result = mapping.last_processing_result;
  if (const auto function = place_of(place.store, mapping)) state.place = text_of(*function);
  const MappingStatuses::Status status = MappingStatuses::of(place.world).read(mapping.uuid);
  state.counts = status.counts;
  state.reason = status.reason;
  DINETTE_TRY(const auto progress, KeptMappings(place.store).progress_of(mapping.uuid));
  for (const api::MappingProgress& one : progress) {
    const auto lowest = std::ranges::min_element(one.parts, deliveries::is_before);
    state.positions.push_back({one.shard, lowest == one.parts.end() ? std::string() : *lowest});
  }
  return {};
}

kv::Result<TriggerState> TriggerKeeper::state_of(const Place& place,
                                                 const api::TriggerRecord& trigger) const {
  TriggerState state;
  state.trigger = trigger_of(trigger);
  if (const auto command = command_of(trigger.name)) state.trigger.command = command->arguments;
  DINETTE_TRY(const auto mapping, KeptMappings(place.store).find(trigger.settings.uuid));
  if (mapping) DINETTE_CHECK(describe(place, *mapping, state));
  return state;
}

kv::Result<std::vector<TriggerState>> TriggerKeeper::list(tenancy::World& world) const {
  const Place own = place_in(world);
  std::vector<TriggerState> states;
  DINETTE_TRY(const auto triggers, KeptTriggers(own.store).all());
  for (const api::TriggerRecord& trigger : triggers) {
    DINETTE_TRY(TriggerState state, state_of(own, trigger));
    states.push_back(std::move(state));
  }
  for (store::Store* const store : world.stores(face_id)) {
    const Place place{world, store->name_space(), *store};
    std::vector<api::MappingRecord> mappings;
    const auto take = [&](const api::MappingRecord& mapping) {
      if (!mapping.trigger) mappings.push_back(mapping);
      return true;
    };
    DINETTE_CHECK(KeptMappings(*store).for_each("", take));
    std::ranges::sort(mappings, {}, &api::MappingRecord::last_modified);
    for (const api::MappingRecord& mapping : mappings) {
      TriggerState state;
      state.trigger = trigger_of(mapping);
      state.of_api = true;
      DINETTE_CHECK(describe(place, mapping, state));
      states.push_back(std::move(state));
    }
  }
  return states;
}

}  // namespace dinette::lambda
