#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "cql/definitions/scope.h"
#include "cql/schema/dropped_tables.h"
#include "cql/schema/objects.h"
#include "cql/schema/resolve_type.h"
#include "cql/system/node.h"
#include "cql/system/system_table.h"
#include "cql/system/system_tables.h"

namespace dinette::cql {
namespace {

using schema::Keyspace;
using schema::Status;
using schema::Table;
using schema::UserType;

/// How far back tables can be restored.
constexpr std::chrono::hours recovery_window{35 * 24};

DefinitionStatus status_of(Status status) {
  switch (status) {
    case Status::creating:
      return DefinitionStatus::creating;
    case Status::updating:
      return DefinitionStatus::updating;
    case Status::deleting:
      return DefinitionStatus::deleting;
    case Status::restoring:
      return DefinitionStatus::restoring;
    case Status::active:
      break;
  }
  return DefinitionStatus::active;
}

std::vector<std::string> regions_of(const Place& place, const Keyspace& keyspace) {
  std::vector<std::string> regions;
  for (const auto& [region, factor] : keyspace.replication.regions) regions.push_back(region);
  if (regions.empty()) regions.emplace_back(place.region);
  return regions;
}

DefinitionTags tags_of(const schema::Tags& tags) {
  return {tags.begin(), tags.end()};
}

KeyspaceDescription describe(const Place& place, const Keyspace& keyspace) {
  return {.name = keyspace.name,
          .arn = system::keyspace_arn(place, keyspace.name),
          .multi_region = keyspace.replication.regions.size() > 1,
          .regions = regions_of(place, keyspace),
          .status = status_of(schema::status_at(keyspace.transition, place.now)),
          .tags = tags_of(keyspace.tags)};
}

KeyspaceDescription describe_system(const Place& place, std::string_view keyspace) {
  return {.name = std::string(keyspace),
          .arn = system::keyspace_arn(place, keyspace),
          .regions = {std::string(place.region)}};
}

ColumnDescription::Kind kind_of(schema::ColumnKind kind) {
  switch (kind) {
    case schema::ColumnKind::partition_key:
      return ColumnDescription::Kind::partition_key;
    case schema::ColumnKind::clustering:
      return ColumnDescription::Kind::clustering;
    case schema::ColumnKind::static_:
      return ColumnDescription::Kind::static_;
    case schema::ColumnKind::regular:
      break;
  }
  return ColumnDescription::Kind::regular;
}

std::optional<AutoScalingDescription> describe(const std::optional<schema::AutoScaling>& scaling) {
  if (!scaling) return std::nullopt;
  return AutoScalingDescription{.disabled = scaling->disabled,
                                .minimum_units = scaling->minimum_units,
                                .maximum_units = scaling->maximum_units,
                                .target_value = scaling->target_value,
                                .disable_scale_in = scaling->disable_scale_in,
                                .scale_in_cooldown = scaling->scale_in_cooldown,
                                .scale_out_cooldown = scaling->scale_out_cooldown};
}

void describe_options(const Place& place, const Table& table, TableDescription& out) {
  const schema::TableOptions& options = table.options;
  out.comment = options.comment;
  out.provisioned = options.capacity.provisioned;
  out.read_units = options.capacity.read_units;
  out.write_units = options.capacity.write_units;
  out.on_demand_since = options.capacity.on_demand_since;
  out.warm_read_units = options.capacity.warm_read_units;
  out.warm_write_units = options.capacity.warm_write_units;
  out.kms_key = options.kms_key;
  out.point_in_time_recovery = options.point_in_time_recovery;
  out.earliest_restorable = std::max(options.recoverable_since, place.now - recovery_window);
  out.time_to_live = options.time_to_live;
  out.default_time_to_live = options.default_time_to_live;
  out.client_side_timestamps = options.client_side_timestamps;
  out.read_scaling = describe(options.read_autoscaling);
  out.write_scaling = describe(options.write_autoscaling);
  out.replica_read_units = options.replica_read_units;
  out.captures_changes = options.cdc.open() != nullptr;
  out.view_type = options.cdc.view_type;
  if (!options.cdc.streams.empty())
    out.latest_stream_arn = system::stream_arn(place, table, options.cdc.streams.back());
}

TableDescription describe(const Place& place, const Table& table) {
  TableDescription out{.keyspace = table.keyspace,
                       .name = table.name,
                       .arn = system::table_arn(place, table.keyspace, table.name),
                       .created = table.created,
                       .status = status_of(schema::status_at(table, place.now)),
                       .tags = tags_of(table.tags)};
  for (const schema::Column& column : table.columns) {
    out.columns.push_back({.name = column.name,
                           .type = to_text(column.type),
                           .kind = kind_of(column.kind),
                           .descending = column.order == store::Order::descending});
  }
  describe_options(place, table, out);
  return out;
}

bool is_used_by(const std::vector<Type>& types, std::string_view name) {
  return std::ranges::any_of(types, [&](const Type& type) { return schema::names_user_type(type, name); });
}

TypeDescription describe(const Place& place, const Keyspace& keyspace, const UserType& type,
                         const std::vector<schema::StoredTable>& tables) {
  TypeDescription out{.keyspace = keyspace.name,
                      .name = type.name,
                      .keyspace_arn = system::keyspace_arn(place, keyspace.name),
                      .changed = type.changed};
  for (std::size_t i = 0; i < type.fields.size(); ++i) {
    out.fields.emplace_back(type.fields[i], to_text(type.types[i]));
    out.nesting_depth = std::max(out.nesting_depth, schema::frozen_depth(type.types[i]));
  }
  for (const schema::StoredTable& one : tables) {
    const auto uses = [&](const schema::Column& column) {
      return schema::names_user_type(column.type, type.name);
    };
    if (std::ranges::any_of(one.table().columns, uses)) out.referring_tables.push_back(one.table().name);
  }
  for (const UserType& other : keyspace.types) {
    if (is_used_by(other.types, type.name)) out.parent_types.push_back(other.name);
  }
  return out;
}

}  // namespace

Defined<std::optional<KeyspaceDescription>> describe_keyspace(const DefinitionScope& scope,
                                                              std::string_view keyspace) {
  const ScopePlace place(scope);
  if (system::is_system_keyspace(keyspace)) return std::optional(describe_system(*place, keyspace));
  DINETTE_CQL_DEFINED(const auto found, schema::find_keyspace(*place, keyspace));
  if (!found) return std::optional<KeyspaceDescription>();
  return std::optional(describe(*place, found->keyspace()));
}

Defined<std::optional<TableDescription>> describe_table(const DefinitionScope& scope,
                                                        std::string_view keyspace, std::string_view table) {
  const ScopePlace place(scope);
  if (const auto* const one = system::find_system_table(keyspace, table))
    return std::optional(describe(*place, one->description()));
  DINETTE_CQL_DEFINED(const auto owner, schema::find_keyspace(*place, keyspace));
  DINETTE_CQL_DEFINED(const auto found, schema::find_table(*place, keyspace, table));
  if (!owner || !found) return std::optional<TableDescription>();
  TableDescription out = describe(*place, found->table());
  out.regions = regions_of(*place, owner->keyspace());
  return std::optional(std::move(out));
}

Defined<std::optional<TypeDescription>> describe_type(const DefinitionScope& scope, std::string_view keyspace,
                                                      std::string_view type) {
  const ScopePlace place(scope);
  DINETTE_CQL_DEFINED(const auto owner, schema::find_keyspace(*place, keyspace));
  const UserType* const found = owner ? owner->keyspace().find_type(type) : nullptr;
  if (found == nullptr) return std::optional<TypeDescription>();
  DINETTE_CQL_DEFINED(const auto tables, schema::list_tables(*place, keyspace));
  return std::optional(describe(*place, owner->keyspace(), *found, tables));
}

Defined<bool> can_restore(const DefinitionScope& scope, std::string_view keyspace, std::string_view table) {
  const ScopePlace place(scope);
  DINETTE_CQL_DEFINED(const auto found, schema::find_table(*place, keyspace, table));
  if (found) return true;
  DINETTE_CQL_DEFINED(const auto dropped, schema::find_dropped_table(*place, keyspace, table));
  return dropped.has_value();
}

Defined<std::vector<KeyspaceDescription>> list_keyspaces(const DefinitionScope& scope) {
  const ScopePlace place(scope);
  std::vector<KeyspaceDescription> out;
  for (const std::string_view name : system::system_keyspaces) out.push_back(describe_system(*place, name));
  DINETTE_CQL_DEFINED(const auto objects, schema::list_objects(*place));
  for (const schema::StoredKeyspace& one : objects.keyspaces) out.push_back(describe(*place, one.keyspace()));
  return out;
}

Defined<std::vector<KeyspaceTables>> list_tables(const DefinitionScope& scope) {
  const ScopePlace place(scope);
  std::vector<KeyspaceTables> out;
  DINETTE_CQL_DEFINED(const auto objects, schema::list_objects(*place));
  for (const schema::StoredKeyspace& one : objects.keyspaces)
    out.push_back({.keyspace = describe(*place, one.keyspace())});
  for (const schema::StoredTable& one : objects.tables) {
    const auto owner = std::ranges::find(out, one.table().keyspace,
                                         [](const KeyspaceTables& it) { return it.keyspace.name; });
    if (owner == out.end()) continue;
    TableDescription& table = owner->tables.emplace_back(describe(*place, one.table()));
    table.regions = owner->keyspace.regions;
  }
  return out;
}

Defined<std::vector<std::string>> list_table_names(const DefinitionScope& scope, std::string_view keyspace) {
  const ScopePlace place(scope);
  std::vector<std::string> names;
  for (const auto& one : system::all_system_tables()) {
    if (one->description().keyspace == keyspace) names.push_back(one->description().name);
  }
  std::ranges::sort(names);
  DINETTE_CQL_DEFINED(const auto tables, schema::list_tables(*place, keyspace));
  for (const schema::StoredTable& one : tables) names.push_back(one.table().name);
  return names;
}

Defined<std::vector<std::string>> list_type_names(const DefinitionScope& scope, std::string_view keyspace) {
  const ScopePlace place(scope);
  std::vector<std::string> names;
  DINETTE_CQL_DEFINED(const auto owner, schema::find_keyspace(*place, keyspace));
  if (!owner) return names;
  for (const UserType& type : owner->keyspace().types) names.push_back(type.name);
  return names;
}

}  // namespace dinette::cql
