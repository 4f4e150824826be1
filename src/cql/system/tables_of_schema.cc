#include <algorithm>

#include "cql/schema/auto_scaling.h"
#include "cql/schema/objects.h"
#include "cql/system/node.h"
#include "cql/system/schema_rows.h"
#include "cql/system/system_table.h"
#include "cql/system/values.h"

// docs/service-keyspaces/system-tables.md sections 5 to 8.
namespace dinette::cql::system {
namespace {

using schema::Objects;

const Type text_type = native(Kind::text);
const Type int_type = native(Kind::int_);
const Type double_type = native(Kind::double_);
const Type boolean_type = native(Kind::boolean);
const Type texts_by_name = frozen_map(text_type, text_type);

void add(SystemTables& tables, std::string_view keyspace, std::string_view name, Declarations clustering,
         Declarations others, SystemTable::Fill fill = &no_rows) {
  tables.push_back(std::make_unique<const SystemTable>(
      declare(keyspace, name, {{"keyspace_name", text_type}}, clustering, others), fill));
}

/// What system_schema and system_schema_mcs have in common.
void add_common_tables(SystemTables& tables, std::string_view keyspace) {
  add(tables, keyspace, "keyspaces", {}, {{"durable_writes", boolean_type}, {"replication", texts_by_name}},
      &fill_keyspaces);
  add(tables, keyspace, "columns", {{"table_name", text_type}, {"column_name", text_type}},
      {{"clustering_order", text_type},
       {"column_name_bytes", native(Kind::blob)},
       {"kind", text_type},
       {"position", int_type},
       {"type", text_type}},
      &fill_columns);
  add(tables, keyspace, "indexes", {{"table_name", text_type}, {"index_name", text_type}},
      {{"kind", text_type}, {"options", texts_by_name}});
  add(tables, keyspace, "triggers", {{"table_name", text_type}, {"trigger_name", text_type}},
      {{"options", texts_by_name}});
  add(tables, keyspace, "views", {{"view_name", text_type}},
      {{"base_table_id", native(Kind::uuid)},
       {"base_table_name", text_type},
       {"bloom_filter_fp_chance", double_type},
       {"caching", texts_by_name},
       {"cdc", boolean_type},
       {"comment", text_type},
       {"compaction", texts_by_name},
       {"compression", texts_by_name},
       {"crc_check_chance", double_type},
       {"dclocal_read_repair_chance", double_type},
       {"default_time_to_live", int_type},
       {"extensions", frozen_map(text_type, native(Kind::blob))},
       {"gc_grace_seconds", int_type},
       {"id", native(Kind::uuid)},
       {"include_all_columns", boolean_type},
       {"max_index_interval", int_type},
       {"memtable_flush_period_in_ms", int_type},
       {"min_index_interval", int_type},
       {"read_repair_chance", double_type},
       {"speculative_retry", text_type},
       {"where_clause", text_type}});
  add(tables, keyspace, "functions",
      {{"function_name", text_type}, {"argument_types", frozen_list(text_type)}},
      {{"argument_names", frozen_list(text_type)},
       {"body", text_type},
       {"called_on_null_input", boolean_type},
       {"language", text_type},
       {"return_type", text_type}});
  add(tables, keyspace, "aggregates",
      {{"aggregate_name", text_type}, {"argument_types", frozen_list(text_type)}},
      {{"final_func", text_type},
       {"initcond", text_type},
       {"return_type", text_type},
       {"state_func", text_type},
       {"state_type", text_type}});
}

/// Tags of keyspaces and tables. The service demands a WHERE, which the key makes likely.
Answer<void> fill_tags(const Place& place, RowsMaker& rows) {
  DINETTE_TRY(const Objects objects, schema::list_objects(place));
  const auto add_row = [&](const std::string& arn, const std::string& keyspace, const std::string& name,
                           std::string type, const schema::Tags& tags) {
    if (tags.empty()) return;
    rows.add()
        .set("resource_id", arn)
        .set("keyspace_name", keyspace)
        .set("resource_name", name)
        .set("resource_type", std::move(type))
        .set("tags", text_map_value(TextMap(tags.begin(), tags.end())));
  };
  for (const auto& one : objects.keyspaces) {
    const schema::Keyspace& keyspace = one.keyspace();
    add_row(keyspace_arn(place, keyspace.name), keyspace.name, keyspace.name, "keyspace", keyspace.tags);
  }
  for (const auto& one : objects.tables) {
    const schema::Table& table = one.table();
    add_row(table_arn(place, table.keyspace, table.name), table.keyspace, table.name, "table", table.tags);
  }
  return {};
}

Answer<void> fill_autoscaling(const Place& place, RowsMaker& rows) {
  DINETTE_TRY(const Objects objects, schema::list_objects(place));
  for (const auto& one : objects.tables) {
    const schema::TableOptions& options = one.table().options;
    const bool active = schema::status_at(one.table(), place.now) == schema::Status::active;
    if (!active || (!options.read_autoscaling && !options.write_autoscaling)) continue;
    RowMaker row = rows.add();
    row.set("keyspace_name", one.table().keyspace)
        .set("table_name", one.table().name)
        .set("region", std::string(place.region));
    if (options.read_autoscaling)
      row.set("provisioned_read_capacity_autoscaling_update", to_text(*options.read_autoscaling));
    if (options.write_autoscaling)
      row.set("provisioned_write_capacity_autoscaling_update", to_text(*options.write_autoscaling));
  }
  return {};
}

/// Returns "Active" of "ACTIVE", as the keyspace with regions shows it.
std::string in_title_case(std::string_view status) {
  std::string text(status);
  std::transform(text.begin() + 1, text.end(), text.begin() + 1,
                 [](char c) { return static_cast<char>(c - 'A' + 'a'); });
  return text;
}

/// The regions that a keyspace has, at least the own one.
std::vector<std::string> regions_of(const Place& place, const schema::Keyspace& keyspace) {
  std::vector<std::string> regions;
  for (const auto& [region, factor] : keyspace.replication.regions) regions.push_back(region);
  if (regions.empty()) regions.emplace_back(place.region);
  return regions;
}

Answer<void> fill_replicas_of_keyspaces(const Place& place, RowsMaker& rows) {
  DINETTE_TRY(const Objects objects, schema::list_objects(place));
  for (const auto& one : objects.keyspaces) {
    const schema::Keyspace& keyspace = one.keyspace();
    for (const std::string& region : regions_of(place, keyspace)) {
      rows.add()
          .set("keyspace_name", keyspace.name)
          .set("region", region)
          .set("status", in_title_case(schema::name_of(schema::status_at(keyspace.transition, place.now))));
    }
  }
  return {};
}

Answer<void> fill_replicas_of_tables(const Place& place, RowsMaker& rows) {
  DINETTE_TRY(const Objects objects, schema::list_objects(place));
  for (const auto& one : objects.tables) {
    const schema::Table& table = one.table();
    const auto owner = std::ranges::find(objects.keyspaces, table.keyspace,
                                         [](const auto& keyspace) { return keyspace.keyspace().name; });
    if (owner == objects.keyspaces.end()) continue;
    for (const std::string& region : regions_of(place, owner->keyspace())) {
      rows.add()
          .set("keyspace_name", table.keyspace)
          .set("table_name", table.name)
          .set("region", region)
          .set("status", std::string(schema::name_of(schema::status_at(table, place.now))))
          .set("custom_properties", custom_properties_value(place, table));
    }
  }
  return {};
}

}  // namespace

void add_tables_of_schema(SystemTables& tables) {
  constexpr std::string_view keyspace = "system_schema";
  add_common_tables(tables, keyspace);
  add(tables, keyspace, "tables", {{"table_name", text_type}},
      {{"bloom_filter_fp_chance", double_type},
       {"caching", texts_by_name},
       {"cdc", boolean_type},
       {"comment", text_type},
       {"compaction", texts_by_name},
       {"compression", texts_by_name},
       {"crc_check_chance", double_type},
       {"dclocal_read_repair_chance", double_type},
       {"default_time_to_live", int_type},
       {"extensions", frozen_map(text_type, native(Kind::blob))},
       {"flags", frozen_set(text_type)},
       {"gc_grace_seconds", int_type},
       {"id", native(Kind::uuid)},
       {"max_index_interval", int_type},
       {"memtable_flush_period_in_ms", int_type},
       {"min_index_interval", int_type},
       {"read_repair_chance", double_type},
       {"speculative_retry", text_type}},
      &fill_tables);
  add(tables, keyspace, "types", {{"type_name", text_type}},
      {{"field_names", frozen_list(text_type)}, {"field_types", frozen_list(text_type)}}, &fill_types);
  add(tables, keyspace, "dropped_columns", {{"table_name", text_type}, {"column_name", text_type}},
      {{"dropped_time", native(Kind::timestamp)}, {"type", text_type}}, &fill_dropped_columns);
}

void add_tables_of_mcs(SystemTables& tables) {
  constexpr std::string_view keyspace = "system_schema_mcs";
  const Type properties = frozen_map(text_type, texts_by_name);
  add_common_tables(tables, keyspace);
  add(tables, keyspace, "tables", {{"table_name", text_type}},
      {{"bloom_filter_fp_chance", double_type},
       {"caching", texts_by_name},
       {"cdc", boolean_type},
       {"cdc_specification", texts_by_name},
       {"comment", text_type},
       {"compaction", texts_by_name},
       {"compression", texts_by_name},
       {"crc_check_chance", double_type},
       {"creation_time", native(Kind::timestamp)},
       {"custom_properties", properties},
       {"dclocal_read_repair_chance", double_type},
       {"default_time_to_live", int_type},
       {"extensions", frozen_map(text_type, native(Kind::blob))},
       {"flags", frozen_set(text_type)},
       {"gc_grace_seconds", int_type},
       {"id", native(Kind::uuid)},
       {"latest_stream_arn", text_type},
       {"max_index_interval", int_type},
       {"memtable_flush_period_in_ms", int_type},
       {"min_index_interval", int_type},
       {"read_repair_chance", double_type},
       {"speculative_retry", text_type},
       {"status", text_type}},
      &fill_all_tables);
  add(tables, keyspace, "tables_history",
      {{"table_name", text_type}, {"event_time", native(Kind::timestamp)}},
      {{"creation_time", native(Kind::timestamp)}, {"custom_properties", properties}, {"event", text_type}});
  add(tables, keyspace, "types", {{"type_name", text_type}},
      {{"field_names", frozen_list(text_type)},
       {"field_types", frozen_list(text_type)},
       {"max_nesting_depth", int_type},
       {"last_modified_timestamp", native(Kind::timestamp)},
       {"status", text_type},
       {"direct_referring_tables", frozen_list(text_type)},
       {"direct_parent_types", frozen_list(text_type)}},
      &fill_types);
  add(tables, keyspace, "tags", {{"resource_name", text_type}},
      {{"resource_id", text_type}, {"resource_type", text_type}, {"tags", map_of(text_type, text_type)}},
      &fill_tags);
  add(tables, keyspace, "autoscaling", {{"table_name", text_type}},
      {{"provisioned_read_capacity_autoscaling_update", text_type},
       {"provisioned_write_capacity_autoscaling_update", text_type}},
      &fill_autoscaling);
  add(tables, keyspace, "sessions", {{"session_id", text_type}}, {});
}

void add_tables_of_regions(SystemTables& tables) {
  constexpr std::string_view keyspace = "system_multiregion_info";
  add(tables, keyspace, "keyspaces", {{"region", text_type}},
      {{"status", text_type}, {"tables_replication_progress", text_type}}, &fill_replicas_of_keyspaces);
  add(tables, keyspace, "tables", {{"table_name", text_type}, {"region", text_type}},
      {{"status", text_type}, {"custom_properties", frozen_map(text_type, texts_by_name)}},
      &fill_replicas_of_tables);
  add(tables, keyspace, "autoscaling", {{"table_name", text_type}, {"region", text_type}},
      {{"provisioned_read_capacity_autoscaling_update", text_type},
       {"provisioned_write_capacity_autoscaling_update", text_type}},
      &fill_autoscaling);
  add(tables, keyspace, "types", {{"type_name", text_type}, {"region", text_type}},
      {{"field_names", frozen_list(text_type)},
       {"field_types", frozen_list(text_type)},
       {"max_nesting_depth", int_type},
       {"last_modified_timestamp", native(Kind::timestamp)},
       {"status", text_type},
       {"direct_referring_tables", frozen_list(text_type)},
       {"direct_parent_types", frozen_list(text_type)}},
      &fill_types);
}

}  // namespace dinette::cql::system
