#include "dynamodb/replicas/overrides.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_index_record.h"
#include "dynamodb/api/global_secondary_index_update.h"
#include "dynamodb/api/on_demand_throughput.h"
#include "dynamodb/api/replica_global_secondary_index.h"
#include "dynamodb/api/table_transition.h"
#include "dynamodb/tables/table_throughput.h"

namespace dinette::dynamodb {
namespace {

using Overrides = api::OverriddenSettings;
using IndexOverrides = api::ReplicaGlobalSecondaryIndex;

Overrides overrides_in(const api::ReplicaMember& member) {
  Overrides overrides;
  overrides.read_units = member.read_units;
  overrides.max_read_units = member.max_read_units;
  overrides.table_class = member.table_class;
  overrides.indexes = member.indexes;
  return overrides;
}

void set_overrides(api::ReplicaMember& member, Overrides overrides) {
  member.read_units = overrides.read_units;
  member.max_read_units = overrides.max_read_units;
  member.table_class = overrides.table_class;
  member.indexes = std::move(overrides.indexes);
}

bool overrides_nothing(const Overrides& overrides) {
  return !overrides.read_units && !overrides.max_read_units && !overrides.table_class &&
         overrides.indexes.empty();
}

// Of a table or an index, in a request or a record.
std::optional<std::int64_t> read_units_in(const auto& action) {
  const auto& units = action.provisioned_throughput_override;
  return units ? units->read_capacity_units : std::nullopt;
}

std::optional<std::int64_t> max_read_units_in(const auto& action) {
  const auto& ceiling = action.on_demand_throughput_override;
  return ceiling ? ceiling->max_read_request_units : std::nullopt;
}

std::int64_t read_ceiling(const std::optional<api::OnDemandThroughput>& ceilings) {
  return ceilings ? ceilings->max_read_request_units.value_or(remove_ceiling) : remove_ceiling;
}

void set_read_ceiling(std::optional<api::OnDemandThroughput>& ceilings, std::int64_t units) {
  if (!ceilings) ceilings.emplace();
  ceilings->max_read_request_units = units;
  if (units == remove_ceiling) ceilings->max_read_request_units.reset();
  ceilings = unless_empty(ceilings);
}

/// A class that was never changed is absent.
void set_class(api::TableSettings& settings, api::TableClass wanted) {
  settings.table_class = wanted;
  if (wanted == api::TableClass::standard && !settings.table_class_updated) settings.table_class.reset();
}

IndexOverrides* find_overrides(std::vector<IndexOverrides>& indexes, std::string_view name) {
  const auto found = std::ranges::find(indexes, name, &IndexOverrides::index_name);
  return found == indexes.end() ? nullptr : &*found;
}

api::GlobalSecondaryIndex* find_overridden_index(api::TableSettings& settings, std::string_view name) {
  for (api::GlobalIndexRecord& index : settings.global_secondary_indexes)
    if (index.definition.index_name == name) return &index.definition;
  return nullptr;
}

/// Returns what an index has where others are overridden.
IndexOverrides values_of(const api::GlobalSecondaryIndex& index, const IndexOverrides& where) {
  IndexOverrides values;
  values.index_name = index.index_name;
  if (read_units_in(where) && index.provisioned_throughput)
    values.provisioned_throughput_override.emplace().read_capacity_units =
        index.provisioned_throughput->read_capacity_units;
  if (max_read_units_in(where))
    values.on_demand_throughput_override.emplace().max_read_request_units =
        read_ceiling(index.on_demand_throughput);
  return values;
}

/// Returns what settings have where others are overridden.
Overrides values_of(const api::TableSettings& settings, const Overrides& where) {
  Overrides values;
  if (where.read_units) values.read_units = settings.provisioned_throughput.read_capacity_units;
  if (where.max_read_units) values.max_read_units = read_ceiling(settings.on_demand_throughput);
  if (where.table_class) values.table_class = settings.table_class.value_or(api::TableClass::standard);
  for (const IndexOverrides& one : where.indexes) {
    for (const api::GlobalIndexRecord& index : settings.global_secondary_indexes)
      if (index.definition.index_name == one.index_name)
        values.indexes.push_back(values_of(index.definition, one));
  }
  return values;
}

void set_values(api::GlobalSecondaryIndex& index, const IndexOverrides& values) {
  if (const auto units = read_units_in(values); units && index.provisioned_throughput)
    index.provisioned_throughput->read_capacity_units = *units;
  if (const auto units = max_read_units_in(values)) set_read_ceiling(index.on_demand_throughput, *units);
}

void set_values(api::TableSettings& settings, const Overrides& values) {
  if (values.read_units) settings.provisioned_throughput.read_capacity_units = *values.read_units;
  if (values.max_read_units) set_read_ceiling(settings.on_demand_throughput, *values.max_read_units);
  if (values.table_class) set_class(settings, *values.table_class);
  for (const IndexOverrides& one : values.indexes) {
    if (api::GlobalSecondaryIndex* const index = find_overridden_index(settings, one.index_name))
      set_values(*index, one);
  }
}

bool inherits_all(const IndexOverrides& index) {
  return !read_units_in(index) && !max_read_units_in(index);
}

/// Removes what equals the settings of the group: it is inherited. An index that there is not keeps what is
/// asked for it.
void inherit_equal(Overrides& overrides, const api::TableSettings& of_group) {
  Overrides inherited = values_of(of_group, overrides);
  if (overrides.read_units == inherited.read_units) overrides.read_units.reset();
  if (overrides.max_read_units == inherited.max_read_units) overrides.max_read_units.reset();
  if (overrides.table_class == inherited.table_class) overrides.table_class.reset();
  for (IndexOverrides& index : overrides.indexes) {
    const IndexOverrides* const same = find_overrides(inherited.indexes, index.index_name);
    if (!same) continue;
    if (read_units_in(index) == read_units_in(*same)) index.provisioned_throughput_override.reset();
    if (max_read_units_in(index) == max_read_units_in(*same)) index.on_demand_throughput_override.reset();
  }
  std::erase_if(overrides.indexes, inherits_all);
}

void merge_index(std::vector<IndexOverrides>& indexes, const IndexOverrides& wanted) {
  IndexOverrides* index = find_overrides(indexes, wanted.index_name);
  if (!index) {
    index = &indexes.emplace_back();
    index->index_name = wanted.index_name;
  }
  if (read_units_in(wanted)) index->provisioned_throughput_override = wanted.provisioned_throughput_override;
  if (max_read_units_in(wanted)) index->on_demand_throughput_override = wanted.on_demand_throughput_override;
}

void merge(api::ReplicaMember& member, const api::TableSettings& of_group, const auto& action) {
  Overrides overrides = overrides_in(member);
  if (const auto units = read_units_in(action)) overrides.read_units = units;
  if (const auto units = max_read_units_in(action)) overrides.max_read_units = units;
  if (action.table_class_override) overrides.table_class = action.table_class_override;
  if (action.global_secondary_indexes) {
    for (const IndexOverrides& index : *action.global_secondary_indexes)
      merge_index(overrides.indexes, index);
  }
  inherit_equal(overrides, of_group);
  set_overrides(member, std::move(overrides));
}

void reset_index(Overrides& overrides, const api::GlobalSecondaryIndexUpdate& update) {
  if (update.delete_) {
    std::erase_if(overrides.indexes,
                  [&](const IndexOverrides& one) { return one.index_name == update.delete_->index_name; });
  }
  if (!update.update || !update.update->provisioned_throughput) return;
  IndexOverrides* const index = find_overrides(overrides.indexes, update.update->index_name);
  if (index) index->provisioned_throughput_override.reset();
}

/// Resets what belongs to a billing mode that ends.
void reset_units(Overrides& overrides) {
  overrides.read_units.reset();
  overrides.max_read_units.reset();
  overrides.indexes.clear();
}

/// New units reset what replicas override.
void reset_overrides(Overrides& overrides, const api::UpdateTableInput& input) {
  if (input.provisioned_throughput) overrides.read_units.reset();
  if (!input.global_secondary_index_updates) return;
  for (const auto& update : *input.global_secondary_index_updates) reset_index(overrides, update);
}

}  // namespace

void override_settings(api::ReplicaMember& member, const api::TableSettings& of_group,
                       const api::CreateReplicationGroupMemberAction& action) {
  merge(member, of_group, action);
}

void override_settings(api::ReplicaMember& member, const api::TableSettings& of_group,
                       const api::UpdateReplicationGroupMemberAction& action) {
  merge(member, of_group, action);
}

api::TableSettings settings_of_group(const api::TableRecord& replica, api::TableSettings settings) {
  if (replica.replication && replica.replication->overridden)
    set_values(settings, *replica.replication->overridden);
  return settings;
}

void list_own_overrides(const api::TableRecord& replica, api::ReplicaMember& member) {
  if (!replica.replication || !replica.replication->overridden) return;
  const api::TableSettings& own = replica.transition ? replica.transition->settings : replica.settings;
  set_overrides(member, values_of(own, *replica.replication->overridden));
}

void apply_overrides(api::TableRecord& replica, const api::ReplicaMember& member) {
  const Overrides wanted = overrides_in(member);
  const auto change = [&](api::TableSettings& settings) {
    settings = settings_of_group(replica, std::move(settings));
    Overrides inherited = values_of(settings, wanted);
    set_values(settings, wanted);
    return inherited;
  };
  Overrides inherited = change(replica.settings);
  if (replica.transition) inherited = change(replica.transition->settings);
  replica.replication->overridden = std::move(inherited);
  if (overrides_nothing(wanted)) replica.replication->overridden.reset();
}

void keep_overrides(api::TableRecord& record, const api::UpdateTableInput& input,
                    const api::TableSettings& before, api::TableSettings& after) {
  if (!record.replication) return;
  const bool new_mode = before.billing_mode != after.billing_mode;
  const auto kept = [&](Overrides overrides) {
    if (new_mode) reset_units(overrides);
    reset_overrides(overrides, input);
    inherit_equal(overrides, after);
    return overrides;
  };
  for (api::ReplicaMember& member : record.replication->members)
    set_overrides(member, kept(overrides_in(member)));
  auto& overridden = record.replication->overridden;
  if (!overridden) return;
  const Overrides own = kept(values_of(before, *overridden));
  overridden = values_of(after, own);
  set_values(after, own);
  if (overrides_nothing(own)) overridden.reset();
}

}  // namespace dinette::dynamodb
