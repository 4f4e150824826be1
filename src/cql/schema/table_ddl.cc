#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "dinette/base/bytes.h"

#include "cql/schema/change_streams.h"
#include "cql/schema/ddl.h"
#include "cql/schema/deletion.h"
#include "cql/schema/new_table.h"
#include "cql/schema/objects.h"
#include "cql/schema/properties.h"
#include "cql/schema/resolve_type.h"

// docs/service-keyspaces/ddl.md sections 3 to 5.
namespace dinette::cql::schema {
namespace {

using frames::SchemaChange;

constexpr std::size_t most_tables = 256;
constexpr std::size_t most_at_once = 50;
constexpr std::size_t most_tables_of_type = 100;

std::optional<SchemaOutcome> change_of_table(SchemaChange::Kind kind, const Table& table) {
  return SchemaOutcome{.change = {.kind = kind,
                                  .target = SchemaChange::Target::table,
                                  .keyspace = table.keyspace,
                                  .name = table.name},
                       .done = table.transition.until};
}

/// The class of the error is Cassandra's own in lenient mode (docs/service-keyspaces/errors.md section 6).
base::Failure<Error> missing_keyspace(const Place& place, std::string text) {
  return place.strict() ? configuration_error(std::move(text)) : invalid(std::move(text));
}

/// Changes a table and its columns.
struct Alter {
  const Place& place;
  const Keyspace& keyspace;
  Table& table;

  Answer<void> operator()(const grammar::AddColumns& added) const {
    for (const grammar::ColumnDefinition& column : added.columns)
      DINETTE_CHECK(add_column(keyspace, column, table));
    return check_types(place, table);
  }

  Answer<void> operator()(const grammar::DropColumns& dropped) const {
    if (place.strict()) return invalid("ALTER TABLE DROP is not supported");
    const base::TimePoint moment =
        dropped.timestamp ? base::TimePoint(std::chrono::microseconds(*dropped.timestamp)) : place.now;
    for (const std::string& name : dropped.columns) {
      const Column* const column = table.find_column(name);
      if (column == nullptr) return invalid("Column " + name + " was not found in table " + table.name);
      if (column->in_key()) return invalid("Cannot drop PRIMARY KEY part " + name);
      note_dropped(*column, moment, table);
      table.columns.erase(table.columns.begin() + (column - table.columns.data()));
    }
    return {};
  }

  Answer<void> operator()(const grammar::DropCompactStorage&) const {
    if (place.strict()) return invalid("ALTER TABLE DROP is not supported");
    if (!table.compact_storage)
      return invalid("Cannot DROP COMPACT STORAGE on table without COMPACT STORAGE");
    table.compact_storage = false;
    return {};
  }

  Answer<void> operator()(const grammar::RenameColumns& renamed) const {
    if (place.strict()) return invalid("ALTER TABLE RENAME is not supported");
    for (const auto& [from, to] : renamed.names) {
      const auto column = std::ranges::find(table.columns, from, &Column::name);
      if (column == table.columns.end())
        return invalid("Cannot rename unknown column " + from + " in keyspace " + table.keyspace);
      if (table.find_column(to) != nullptr) {
        return invalid("Cannot rename column " + from + " to " + to + " in keyspace " + table.keyspace +
                       "; another column of that name already exist");
      }
      if (!column->in_key()) return invalid("Cannot rename non PRIMARY KEY part " + from);
      column->name = to;
    }
    return {};
  }

  Answer<void> operator()(const grammar::ChangeType&) const {
    if (place.strict()) return invalid("ALTER TABLE ALTER is not supported");
    return invalid("Altering of types is not allowed");
  }

  Answer<void> operator()(const grammar::TableProperties& with) const {
    if (with.properties.empty()) return invalid("ALTER TABLE WITH invoked, but no parameters found");
    DINETTE_CHECK(apply_properties(place, with.properties, false, table));
    if (table.has_counters() && table.options.default_time_to_live > 0)
      return invalid("Cannot set default_time_to_live on a table with counters");
    return {};
  }

  Answer<void> operator()(const grammar::AddTags& tags) const { return add_tags(tags.tags, table.tags); }
  Answer<void> operator()(const grammar::DropTags& tags) const { return drop_tags(tags.tags, table.tags); }
};

Answer<void> check_not_changing(const Place& place, const Table& table) {
  if (status_at(table, place.now) == Status::active) return {};
  return invalid("Table " + table.full_name() + " is being created or updated.");
}

}  // namespace

std::string random_uuid(base::Ids& ids) {
  constexpr std::uint64_t version_bits = 0xF000;
  constexpr std::uint64_t version_4 = 0x4000;
  constexpr std::uint64_t variant_bits = 0x3FFF'FFFF'FFFF'FFFF;
  constexpr std::uint64_t variant = 0x8000'0000'0000'0000;
  std::string uuid;
  base::append_big_endian(uuid, (ids.random() & ~version_bits) | version_4);
  base::append_big_endian(uuid, (ids.random() & variant_bits) | variant);
  return uuid;
}

namespace {

/// Fails if as many tables as may be have one of the user types of another one.
Answer<void> check_tables_of_types(const Objects& objects, const Table& table) {
  std::set<std::string> names;
  for (const Column& column : table.columns) add_user_types(column.type, names);
  for (const std::string& name : names) {
    const auto has_type = [&](const StoredTable& one) {
      const auto uses = [&](const Column& column) { return contains_user_type(column.type, name); };
      return one.table().keyspace == table.keyspace && std::ranges::any_of(one.table().columns, uses);
    };
    if (std::ranges::count_if(objects.tables, has_type) >= static_cast<std::ptrdiff_t>(most_tables_of_type))
      return quota_exceeded("number of tables of a type", most_tables_of_type);
  }
  return {};
}

}  // namespace

Answer<void> check_table_quotas(const Place& place, const Table& table) {
  if (!place.strict()) return {};
  DINETTE_TRY(const Objects objects, list_objects(place));
  if (objects.tables.size() >= most_tables) return quota_exceeded("number of tables", most_tables);
  DINETTE_CHECK(check_tables_of_types(objects, table));
  const auto changes = [&](const StoredTable& one) {
    return status_at(one.table(), place.now) != Status::active;
  };
  if (std::ranges::count_if(objects.tables, changes) < static_cast<std::ptrdiff_t>(most_at_once)) return {};
  return quota_exceeded("number of DDL operations at once", most_at_once);
}

SchemaAnswer create_table(const Place& place, std::string_view keyspace,
                          const grammar::CreateTable& statement) {
  const std::string& name = statement.table.name;
  const auto no_keyspace = [&] {
    return missing_keyspace(place, "Keyspace " + std::string(keyspace) + " doesn't exist");
  };
  const auto exists = [&]() -> SchemaAnswer {
    if (statement.if_not_exists) return std::optional<SchemaOutcome>();
    return already_exists(
        "Cannot add already existing table \"" + name + "\" to keyspace \"" + std::string(keyspace) + "\"",
        keyspace, name);
  };
  DINETTE_TRY(const auto owner, find_keyspace(place, keyspace));
  if (!owner) return no_keyspace();
  DINETTE_TRY(Table table, new_table(place, owner->keyspace(), statement));
  table.id = random_uuid(place.store.ids());
  table.transition = begin_transition(place, Status::creating);
  DINETTE_TRY(const auto stream, reserve_stream(place, statement.with.properties));
  begin_stream(place, stream, table);
  DINETTE_TRY(const auto present, find_table(place, keyspace, name));
  if (present) return exists();
  DINETTE_CHECK(check_table_quotas(place, table));
  DINETTE_CHECK(remove_gone_table(place, keyspace, name));

  // In the commit that creates it, the keyspace is still there with the types that the table uses.
  Answer<void> created = no_keyspace();
  bool asked = false;
  const auto decide = [&](const store::Table& current,
                          store::TableId) -> std::optional<store::TableCreation> {
    asked = true;
    const Keyspace& now = current.schema_as<KeyspaceSchema>().keyspace();
    created = is_usable(now.transition, place.now) ? Answer<void>() : no_keyspace();
    if (created && now.types != owner->keyspace().types) {
      auto again = new_table(place, now, statement);
      if (!again) created = std::move(again).failure();
      if (created) table.columns = std::move(again->columns);
    }
    if (!created) return std::nullopt;
    return store::TableCreation{.description = encode(table), .source = encode(now)};
  };
  DINETTE_CQL_STORED(const store::TableAndSource both,
                     place.store.catalog().create_from(*owner->stored, stored_name(keyspace, name), decide));
  if (!asked && both.source) return exists();  // by another request since the look
  DINETTE_CHECK(std::move(created));
  if (!both.created) return exists();
  if (place.details != nullptr) place.details->table(table.full_name());
  return change_of_table(SchemaChange::Kind::created, table);
}

SchemaAnswer alter_table(const Place& place, std::string_view keyspace,
                         const grammar::AlterTable& statement) {
  DINETTE_TRY(const auto owner, find_keyspace(place, keyspace));
  // As other statements on tables that exist (docs/service-keyspaces/dml.md section 1).
  if (!owner) return invalid("Keyspace " + std::string(keyspace) + " does not exist");
  const auto missing = [&] {
    return invalid("unconfigured table " + std::string(keyspace) + "." + statement.table.name);
  };
  DINETTE_TRY(const auto found, find_table(place, keyspace, statement.table.name));
  if (!found || status_at(found->table(), place.now) == Status::deleting) return missing();
  const auto* const with = std::get_if<grammar::TableProperties>(&statement.change);
  DINETTE_TRY(const auto stream,
              reserve_stream(place, with != nullptr ? with->properties : grammar::Properties()));
  Answer<void> altered = missing();  // unless it is still there
  Table table;
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    table = current.schema_as<TableSchema>().table();
    altered = check_not_changing(place, table);
    if (altered) altered = std::visit(Alter{place, owner->keyspace(), table}, statement.change);
    if (!altered) return std::nullopt;
    begin_stream(place, stream, table);
    table.transition = begin_transition(place, Status::updating);
    store::TableUpdate update(encode(table));
    update.drops_versions = current.schema->keeps_versions() && !table.options.point_in_time_recovery;
    return update;
  };
  DINETTE_CQL_STORED([[maybe_unused]] const auto changed,
                     place.store.catalog().update(*found->stored, decide));
  DINETTE_CHECK(std::move(altered));
  if (place.details != nullptr) place.details->table(table.full_name());
  return change_of_table(SchemaChange::Kind::updated, table);
}

SchemaAnswer drop_table(const Place& place, std::string_view keyspace, const grammar::DropTable& statement) {
  const std::string& name = statement.table.name;
  DINETTE_TRY(const auto owner, find_keyspace(place, keyspace));
  if (!owner && statement.if_exists) return std::optional<SchemaOutcome>();
  if (!owner)
    return missing_keyspace(place, "Cannot drop table in unknown keyspace '" + std::string(keyspace) + "'");
  const auto missing = [&]() -> SchemaAnswer {
    if (statement.if_exists) return std::optional<SchemaOutcome>();
    return configuration_error("Cannot drop non existing table '" + name + "' in keyspace '" +
                               std::string(keyspace) + "'.");
  };
  DINETTE_TRY(const auto found, find_table(place, keyspace, name));
  if (!found || status_at(found->table(), place.now) == Status::deleting) return missing();
  Table table = found->table();
  table.transition = begin_transition(place, Status::deleting);
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    Table deleted = current.schema_as<TableSchema>().table();
    deleted.transition = table.transition;
    return store::TableUpdate(encode(deleted));
  };
  if (place.state_delay.count() == 0) {
    DINETTE_CQL_STORED(const bool dropped, drop_stored(place.store, *found->stored));
    if (!dropped) return missing();
    remove_later(place.store, place.world.jobs(), table.transition);
  } else {
    DINETTE_CQL_STORED(const store::TablePointer marked,
                       place.store.catalog().update(*found->stored, decide));
    if (!marked) return missing();
    remove_later(place.store, place.world.jobs(), table.transition);
  }
  if (place.details != nullptr) place.details->table(table.full_name());
  return change_of_table(SchemaChange::Kind::dropped, table);
}

}  // namespace dinette::cql::schema
