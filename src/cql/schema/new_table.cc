#include "cql/schema/new_table.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "cql/schema/names.h"
#include "cql/schema/properties.h"
#include "cql/schema/resolve_type.h"
#include "cql/schema/table_schema.h"

namespace dinette::cql::schema {
namespace {

using grammar::ColumnDefinition;
using grammar::CreateTable;
using grammar::Ordering;
using grammar::PrimaryKey;

constexpr std::size_t largest_schema = 350 * 1024;
constexpr std::size_t most_user_types = 50;

Answer<void> check_names_of_columns(const std::vector<ColumnDefinition>& columns) {
  std::set<std::string_view> names;
  for (const ColumnDefinition& column : columns) {
    if (!names.insert(column.name).second) return invalid("Multiple definition of identifier " + column.name);
  }
  return {};
}

/// The primary key, of which a statement has one in one of two forms. The spelling is the service's.
Answer<PrimaryKey> key_of(const CreateTable& statement) {
  std::vector<PrimaryKey> keys = statement.primary_keys;
  for (const ColumnDefinition& column : statement.columns) {
    if (column.primary_key) keys.push_back({.partition = {column.name}});
  }
  if (keys.empty()) return invalid("No PRIMARY KEY specifed (exactly one required)");
  if (keys.size() > 1) return invalid("Multiple PRIMARY KEYs specifed (exactly one required)");
  return std::move(keys.front());
}

Answer<Column> new_column(const Keyspace& keyspace, const ColumnDefinition& definition, Table& table) {
  Column column{.id = table.next_column++, .name = definition.name};
  DINETTE_TRY(column.type, resolve_type(keyspace, definition.type));
  if (definition.is_static) column.kind = ColumnKind::static_;
  if (column.type.kind != Kind::udt || column.type.frozen) return column;
  for (const Type& field : column.type.arguments) {
    const bool is_collection = field.kind == Kind::list || field.kind == Kind::set || field.kind == Kind::map;
    if (is_collection && !field.frozen)
      return invalid("Non-frozen UDTs with nested non-frozen collections are not supported");
  }
  return column;
}

Answer<void> check_key_type(const Column& column) {
  const std::string& name = column.name;
  if (column.has_parts()) {
    return invalid("Invalid non-frozen " +
                   std::string(column.type.kind == Kind::udt ? "user-defined" : "collection") +
                   " type for PRIMARY KEY component " + name);
  }
  if (column.kind == ColumnKind::static_)
    return invalid("Static column " + name + " cannot be part of the PRIMARY KEY");
  if (column.type.kind == Kind::counter)
    return invalid("counter type is not supported for PRIMARY KEY part " + name);
  if (contains_duration(column.type))
    return invalid("duration type is not supported for PRIMARY KEY part " + name);
  return {};
}

/// Makes columns part of the key. Of those that are named twice, the second is unknown.
Answer<void> place_in_key(const std::vector<std::string>& names, ColumnKind kind, Table& table) {
  int position = 0;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(table.columns, name, &Column::name);
    if (found == table.columns.end() || found->position >= 0)
      return invalid("Unknown definition " + name + " referenced in PRIMARY KEY");
    DINETTE_CHECK(check_key_type(*found));
    found->kind = kind;
    found->position = position++;
  }
  return {};
}

Answer<void> check_counters(const Table& table) {
  if (!table.has_counters()) return {};
  const auto fits = [](const Column& column) { return column.in_key() || column.type.kind == Kind::counter; };
  if (!std::ranges::all_of(table.columns, fits))
    return invalid("Cannot mix counter and non counter columns in the same table");
  if (table.options.default_time_to_live > 0)
    return invalid("Cannot set default_time_to_live on a table with counters");
  return {};
}

Answer<void> apply_order(const std::vector<Ordering>& order, const std::vector<std::string>& clustering,
                         Table& table) {
  if (order.size() > clustering.size())
    return invalid("Only clustering key columns can be defined in CLUSTERING ORDER directive");
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string& expected = clustering[i];
    if (order[i].column != expected) {
      if (std::ranges::find(order, expected, &Ordering::column) == order.end())
        return invalid("Missing CLUSTERING ORDER for column " + expected);
      return invalid(
          "The order of columns in the CLUSTERING ORDER directive must be the one of the clustering key (" +
          expected + " must appear before " + order[i].column + ")");
    }
    const auto column = std::ranges::find(table.columns, expected, &Column::name);
    column->order = order[i].descending ? store::Order::descending : store::Order::ascending;
  }
  return {};
}

Answer<void> check_static(const Table& table) {
  if (!table.has_static_columns() || table.clustering_size() > 0) return {};
  return invalid(
      "Static columns are only useful (and thus allowed) if the table has at least one clustering column");
}

bool is_collection_with_parts(const Type& type) {
  return !type.frozen && (type.kind == Kind::list || type.kind == Kind::set || type.kind == Kind::map);
}

/// Returns true if values of a former type are values of this one, and order as they do.
bool continues(const Type& type, const Type& former) {
  const bool texts = former.kind == Kind::ascii || (former.kind == Kind::text && type.kind == Kind::blob);
  if (texts && (type.kind == Kind::text || type.kind == Kind::blob)) return true;
  if (type.kind != former.kind || type.frozen != former.frozen) return false;
  if (type.kind == Kind::udt) return type.keyspace == former.keyspace && type.name == former.name;
  return std::ranges::equal(type.arguments, former.arguments, continues);
}

/// Cells of a dropped column are there in Cassandra until compactions have removed them.
Answer<void> check_dropped(const Column& column, const Table& table) {
  const auto former = std::ranges::find(table.dropped, column.name, &DroppedColumn::name);
  if (former == table.dropped.end()) return {};
  if (former->type.kind == Kind::counter)
    return invalid("Cannot re-add previously dropped counter column " + column.name);
  const bool both = is_collection_with_parts(column.type) && is_collection_with_parts(former->type);
  if (!both || continues(column.type, former->type)) return {};
  return invalid("Cannot add a collection with the name " + column.name +
                 " because a collection with the same name and a different type (" + to_text(former->type) +
                 ") has already been used in the past");
}

}  // namespace

void note_dropped(const Column& column, base::TimePoint moment, Table& table) {
  auto place = std::ranges::lower_bound(table.dropped, column.name, {}, &DroppedColumn::name);
  if (place == table.dropped.end() || place->name != column.name) place = table.dropped.emplace(place);
  *place = {.name = column.name, .type = column.type, .dropped = moment};
}

Answer<Table> new_table(const Place& place, const Keyspace& keyspace, const CreateTable& statement) {
  Table table{.keyspace = keyspace.name, .name = statement.table.name, .created = place.now};
  table.options.capacity.on_demand_since = place.now;
  table.compact_storage = statement.with.compact_storage;
  DINETTE_CHECK(check_table_name(table.name));
  DINETTE_CHECK(check_names_of_columns(statement.columns));
  if (statement.with.compact_storage && place.strict()) return invalid("COMPACT STORAGE is not supported");
  DINETTE_CHECK(apply_properties(place, statement.with.properties, true, table));
  if (keyspace.has_several_regions()) table.options.client_side_timestamps = true;
  DINETTE_TRY(const PrimaryKey key, key_of(statement));
  std::size_t parts = 0;
  for (const ColumnDefinition& definition : statement.columns) {
    DINETTE_TRY(Column column, new_column(keyspace, definition, table));
    parts += count_parts(column.type);
    DINETTE_CHECK(check_parts(parts, "table", most_parts_of_table));
    table.columns.push_back(std::move(column));
  }
  DINETTE_CHECK(place_in_key(key.partition, ColumnKind::partition_key, table));
  DINETTE_CHECK(place_in_key(key.clustering, ColumnKind::clustering, table));
  DINETTE_CHECK(check_counters(table));
  DINETTE_CHECK(apply_order(statement.with.clustering_order, key.clustering, table));
  DINETTE_CHECK(check_static(table));
  DINETTE_CHECK(check_types(place, table));
  sort_columns(table.columns);
  return table;
}

Answer<void> add_column(const Keyspace& keyspace, const ColumnDefinition& definition, Table& table) {
  if (const Column* const present = table.find_column(definition.name)) {
    return invalid("Invalid column name " + definition.name + " because it conflicts with " +
                   (present->in_key() ? "a PRIMARY KEY part" : "an existing column"));
  }
  DINETTE_TRY(Column column, new_column(keyspace, definition, table));
  DINETTE_CHECK(check_dropped(column, table));
  table.columns.push_back(std::move(column));
  DINETTE_CHECK(check_parts(count_parts(table.columns), "table", most_parts_of_table));
  DINETTE_CHECK(check_static(table));
  DINETTE_CHECK(check_counters(table));
  sort_columns(table.columns);
  return {};
}

Answer<void> check_types(const Place& place, const Table& table) {
  if (!place.strict()) return {};
  std::set<std::string> user_types;
  for (const Column& column : table.columns) {
    if (frozen_depth(column.type) > most_frozen)
      return invalid("Nesting of frozen types exceeds the maximum of " + std::to_string(most_frozen) + ".");
    add_user_types(column.type, user_types);
  }
  if (user_types.size() > most_user_types)
    return quota_exceeded("number of types of a table", most_user_types);
  if (encode(table).size() > largest_schema)
    return invalid("Maximum size of a table's schema (" + std::to_string(largest_schema) +
                   " bytes) exceeded.");
  return {};
}

}  // namespace dinette::cql::schema
