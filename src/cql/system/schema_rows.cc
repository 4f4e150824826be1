#include "cql/system/schema_rows.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "cql/schema/objects.h"
#include "cql/schema/resolve_type.h"
#include "cql/system/node.h"
#include "cql/system/system_tables.h"
#include "cql/system/values.h"

// docs/service-keyspaces/system-tables.md sections 5 and 6.
namespace dinette::cql::system {
namespace {

using schema::Column;
using schema::ColumnKind;
using schema::Keyspace;
using schema::Objects;
using schema::Replication;
using schema::Table;
using schema::UserType;

const TextMap replication_of_one_region = {{"class", "org.apache.cassandra.locator.SimpleStrategy"},
                                           {"replication_factor", "3"}};

TextMap replication_of(const Keyspace& keyspace) {
  if (keyspace.replication.strategy != Replication::Strategy::network) {
    TextMap map = replication_of_one_region;
    if (!keyspace.replication.factor.empty()) map["replication_factor"] = keyspace.replication.factor;
    return map;
  }
  TextMap map = {{"class", "org.apache.cassandra.locator.NetworkTopologyStrategy"}};
  for (const auto& [region, factor] : keyspace.replication.regions) map[region] = factor;
  return map;
}

void add_keyspace(RowsMaker& rows, std::string_view name, const TextMap& replication, bool durable_writes) {
  rows.add()
      .set("keyspace_name", std::string(name))
      .set("durable_writes", boolean_value(durable_writes))
      .set("replication", text_map_value(replication));
}

std::string status_text(std::string_view enabled_or_disabled) {
  return text_map_value({{"status", std::string(enabled_or_disabled)}});
}

std::string milliseconds_text(base::TimePoint moment) {
  return std::to_string(std::chrono::floor<std::chrono::milliseconds>(moment).time_since_epoch().count());
}

TextMap capacity_of(const schema::Capacity& capacity) {
  if (capacity.provisioned) {
    return {{"throughput_mode", "PROVISIONED"},
            {"read_capacity_units", std::to_string(capacity.read_units)},
            {"write_capacity_units", std::to_string(capacity.write_units)}};
  }
  return {{"throughput_mode", "PAY_PER_REQUEST"},
          {"last_update_to_pay_per_request_timestamp", milliseconds_text(capacity.on_demand_since)}};
}

TextMap encryption_of(const std::string& kms_key) {
  if (kms_key.empty()) return {{"encryption_type", "AWS_OWNED_KMS_KEY"}};
  return {{"encryption_type", "CUSTOMER_MANAGED_KMS_KEY"}, {"kms_key_identifier", kms_key}};
}

std::string flags_of(const Table& table) {
  std::vector<std::string> flags = {"compound"};
  if (table.has_counters()) flags.emplace_back("counter");
  return list_value(flags);
}

/// The service shows its own values, also of what it was given.
void add_table(const Place& place, RowsMaker& rows, const Table& table) {
  const auto class_of = [](std::string_view name) {
    return text_map_value({{"class", "com.amazonaws.cassandra." + std::string(name)}});
  };
  RowMaker row = rows.add();
  row.set("keyspace_name", table.keyspace)
      .set("table_name", table.name)
      .set("bloom_filter_fp_chance", double_value(0.01))
      .set("caching", class_of("DefaultCaching"))
      .set("cdc", boolean_value(table.options.cdc.enabled))
      .set("comment", table.options.comment)
      .set("compaction", class_of("DefaultCompaction"))
      .set("compression", class_of("DefaultCompression"))
      .set("crc_check_chance", double_value(1.0))
      .set("dclocal_read_repair_chance", double_value(0.0))
      .set("default_time_to_live", int_value(table.options.default_time_to_live))
      .set("extensions", map_value({}))
      .set("flags", flags_of(table))
      .set("gc_grace_seconds", int_value(7776000))
      .set("max_index_interval", int_value(2048))
      .set("memtable_flush_period_in_ms", int_value(3600000))
      .set("min_index_interval", int_value(128))
      .set("read_repair_chance", double_value(0.0))
      .set("speculative_retry", "99PERCENTILE")
      .set("creation_time", timestamp_value(table.created))
      .set("custom_properties", custom_properties_value(place, table))
      .set("status", std::string(schema::name_of(schema::status_at(table, place.now))));
  if (!table.id.empty()) row.set("id", table.id);
  if (!table.options.cdc.streams.empty())
    row.set("latest_stream_arn", stream_arn(place, table, table.options.cdc.streams.back()));
  if (table.options.cdc.open() == nullptr) return;
  row.set("cdc_specification",
          text_map_value({{"status", "ENABLED"}, {"view_type", table.options.cdc.view_type}}));
}

std::string clustering_order_of(const Column& column) {
  if (column.kind != ColumnKind::clustering) return "none";
  return column.order == store::Order::ascending ? "asc" : "desc";
}

void add_columns_of(RowsMaker& rows, const Table& table) {
  for (const Column& column : table.columns) {
    rows.add()
        .set("keyspace_name", table.keyspace)
        .set("table_name", table.name)
        .set("column_name", column.name)
        .set("clustering_order", clustering_order_of(column))
        .set("column_name_bytes", column.name)
        .set("kind", std::string(schema::name_of(column.kind)))
        .set("position", int_value(column.position))
        .set("type", to_text(column.type));
  }
}

/// As Cassandra keeps types that may be dropped before the column is forgotten.
Type with_tuples(Type type) {
  for (Type& argument : type.arguments) argument = with_tuples(std::move(argument));
  if (type.kind != Kind::udt) return type;
  return {.kind = Kind::tuple, .arguments = std::move(type.arguments)};
}

void add_dropped_columns_of(RowsMaker& rows, const Table& table) {
  for (const schema::DroppedColumn& column : table.dropped) {
    rows.add()
        .set("keyspace_name", table.keyspace)
        .set("table_name", table.name)
        .set("column_name", column.name)
        .set("dropped_time", timestamp_value(column.dropped))
        .set("type", to_text(with_tuples(column.type)));
  }
}

/// Calls `visit` with each table: those of the system, then those of users that `fits` accepts.
template <class Fits, class Visit>
Answer<void> visit_tables(const Place& place, Fits fits, Visit visit) {
  for (const auto& one : all_system_tables()) visit(one->description());
  DINETTE_TRY(const Objects objects, schema::list_objects(place));
  for (const schema::StoredTable& one : objects.tables) {
    if (fits(one.table())) visit(one.table());
  }
  return {};
}

auto is_usable_in(const Place& place) {
  return [&](const Table& table) { return schema::is_usable(table, place.now); };
}

int nesting_of(const UserType& type) {
  int deepest = 0;
  for (const Type& field : type.types) deepest = std::max(deepest, schema::frozen_depth(field));
  return deepest;
}

std::string texts_value(const std::set<std::string>& texts) {
  return list_value(std::vector<std::string>(texts.begin(), texts.end()));
}

void add_type(const Place& place, RowsMaker& rows, const Keyspace& keyspace, const UserType& type,
              const Objects& objects) {
  std::vector<std::string> types;
  for (const Type& field : type.types) types.push_back(to_text(field));
  std::set<std::string> tables;
  for (const schema::StoredTable& one : objects.tables) {
    const auto uses = [&](const Column& column) { return schema::names_user_type(column.type, type.name); };
    if (one.table().keyspace == keyspace.name && std::ranges::any_of(one.table().columns, uses))
      tables.insert(one.table().name);
  }
  std::set<std::string> parents;
  for (const UserType& other : keyspace.types) {
    const auto uses = [&](const Type& field) { return schema::names_user_type(field, type.name); };
    if (std::ranges::any_of(other.types, uses)) parents.insert(other.name);
  }
  rows.add()
      .set("keyspace_name", keyspace.name)
      .set("type_name", type.name)
      .set("field_names", list_value(type.fields))
      .set("field_types", list_value(types))
      .set("max_nesting_depth", int_value(nesting_of(type)))
      .set("last_modified_timestamp", timestamp_value(type.changed))
      .set("status", std::string(schema::name_of(schema::Status::active)))
      .set("direct_referring_tables", texts_value(tables))
      .set("direct_parent_types", texts_value(parents))
      .set("region", std::string(place.region));
}

}  // namespace

Answer<void> fill_keyspaces(const Place& place, RowsMaker& rows) {
  for (const std::string_view name : system_keyspaces)
    add_keyspace(rows, name, replication_of_one_region, true);
  DINETTE_TRY(const Objects objects, schema::list_objects(place));
  for (const schema::StoredKeyspace& one : objects.keyspaces) {
    if (schema::is_usable(one.keyspace().transition, place.now))
      add_keyspace(rows, one.keyspace().name, replication_of(one.keyspace()), one.keyspace().durable_writes);
  }
  return {};
}

Answer<void> fill_tables(const Place& place, RowsMaker& rows) {
  return visit_tables(place, is_usable_in(place), [&](const Table& table) { add_table(place, rows, table); });
}

Answer<void> fill_all_tables(const Place& place, RowsMaker& rows) {
  return visit_tables(
      place, [](const Table&) { return true; }, [&](const Table& table) { add_table(place, rows, table); });
}

Answer<void> fill_columns(const Place& place, RowsMaker& rows) {
  return visit_tables(place, is_usable_in(place), [&](const Table& table) { add_columns_of(rows, table); });
}

Answer<void> fill_dropped_columns(const Place& place, RowsMaker& rows) {
  return visit_tables(place, is_usable_in(place),
                      [&](const Table& table) { add_dropped_columns_of(rows, table); });
}

Answer<void> fill_types(const Place& place, RowsMaker& rows) {
  DINETTE_TRY(const Objects objects, schema::list_objects(place));
  for (const schema::StoredKeyspace& one : objects.keyspaces) {
    for (const UserType& type : one.keyspace().types) add_type(place, rows, one.keyspace(), type, objects);
  }
  return {};
}

std::string text_map_value(const TextMap& texts) {
  return map_value(std::vector<std::pair<std::string, std::string>>(texts.begin(), texts.end()));
}

std::string custom_properties_value(const Place& place, const Table& table) {
  const schema::TableOptions& options = table.options;
  TextMap properties = {
      {"capacity_mode", text_map_value(capacity_of(options.capacity))},
      {"encryption_specification", text_map_value(encryption_of(options.kms_key))},
      {"point_in_time_recovery", status_text(options.point_in_time_recovery ? "enabled" : "disabled")}};
  if (options.client_side_timestamps) properties["client_side_timestamps"] = status_text("enabled");
  if (options.time_to_live) properties["ttl"] = status_text("enabled");
  if (const schema::ChangeStream* const stream = options.cdc.open()) {
    properties["cdc_specification"] =
        text_map_value({{"latest_stream_arn", stream_arn(place, table, *stream)},
                        {"status", "ENABLED"},
                        {"view_type", options.cdc.view_type}});
  }
  return text_map_value(properties);
}

}  // namespace dinette::cql::system
