#include <algorithm>
#include <string>
#include <utility>

#include "cql/schema/ddl.h"
#include "cql/schema/names.h"
#include "cql/schema/objects.h"
#include "cql/schema/resolve_type.h"
#include "cql/schema/table_schema.h"

// ALTER TYPE, which the service does not have and Cassandra 3.11 does.
namespace dinette::cql::schema {
namespace {

Answer<void> add_field(const Keyspace& keyspace, const std::string& name, const grammar::TypeName& given,
                       UserType& type) {
  DINETTE_CHECK(check_field_name(name));
  if (std::ranges::find(type.fields, name) != type.fields.end()) {
    return invalid("Cannot add new field " + name + " to type " + keyspace.name + "." + type.name +
                   ": a field of the same name already exists");
  }
  DINETTE_TRY(Type field, resolve_type(keyspace, given));
  if (contains_user_type(field, type.name)) {
    return invalid("Cannot add new field " + name + " of type " + grammar::to_text(given) + " to type " +
                   keyspace.name + "." + type.name + " as this would create a circular reference");
  }
  if (field.kind == Kind::counter) return invalid("A user type cannot contain counters");
  if (field.kind == Kind::udt && !field.frozen) return invalid("A user type cannot contain non-frozen UDTs");
  type.fields.push_back(name);
  type.types.push_back(std::move(field));
  return {};
}

Answer<void> rename_field(const std::string& from, const std::string& to, UserType& type) {
  const auto field = std::ranges::find(type.fields, from);
  if (field == type.fields.end()) return invalid("Unknown field " + from + " in type " + type.name);
  DINETTE_CHECK(check_field_name(to));
  if (from != to && std::ranges::find(type.fields, to) != type.fields.end())
    return invalid("Duplicate field name " + to + " in type " + type.name);
  *field = to;
  return {};
}

Answer<void> change(const Place& place, const Keyspace& keyspace, const grammar::AlterType& statement,
                    UserType& type) {
  if (!statement.changed.empty()) return invalid("Altering of types is not allowed");
  for (const auto& [name, given] : statement.added) DINETTE_CHECK(add_field(keyspace, name, given, type));
  for (const auto& [from, to] : statement.renamed) DINETTE_CHECK(rename_field(from, to, type));
  type.changed = place.now;
  return {};
}

/// Brings the fields of a user type up to date wherever a type has it. Values keep their bytes: a field that
/// they lack is null.
void update_type(const UserType& changed, Type& type) {
  for (Type& argument : type.arguments) update_type(changed, argument);
  if (type.kind != Kind::udt || type.name != changed.name) return;
  type.arguments = changed.types;
  type.fields = changed.fields;
}

/// Fails if a type or a table that has the user type would have too many parts. Before it is changed: what
/// others create meanwhile is not looked at.
Answer<void> check_users(const Place& place, const Keyspace& keyspace, const UserType& changed) {
  for (const UserType& other : keyspace.types) {
    std::size_t parts = 1;
    for (const Type& field : other.name == changed.name ? changed.types : other.types)
      parts += count_parts(field, &changed);
    DINETTE_CHECK(check_parts(parts, "type", most_parts_of_type));
  }
  DINETTE_TRY(const auto tables, list_tables(place, keyspace.name));
  for (const StoredTable& one : tables)
    DINETTE_CHECK(check_parts(count_parts(one.table().columns, &changed), "table", most_parts_of_table));
  return {};
}

/// The tables of a keyspace follow one by one; statements that use the others see the type as it was.
Answer<void> update_tables(const Place& place, const UserType& changed, std::string_view keyspace) {
  DINETTE_TRY(const auto tables, list_tables(place, keyspace));
  for (const StoredTable& one : tables) {
    const auto uses = [&](const Column& column) { return contains_user_type(column.type, changed.name); };
    if (std::ranges::none_of(one.table().columns, uses)) continue;
    const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
      Table table = current.schema_as<TableSchema>().table();
      for (Column& column : table.columns) update_type(changed, column.type);
      return store::TableUpdate(encode(table));
    };
    DINETTE_CQL_STORED([[maybe_unused]] const auto updated,
                       place.store.catalog().update(*one.stored, decide));
  }
  return {};
}

}  // namespace

SchemaAnswer alter_type(const Place& place, std::string_view keyspace, const grammar::AlterType& statement) {
  const std::string& name = statement.type.name;
  DINETTE_TRY(const auto found, find_keyspace(place, keyspace));
  if (!found) return invalid("Cannot alter type in unknown keyspace " + std::string(keyspace));
  if (const UserType* const present = found->keyspace().find_type(name)) {
    UserType after = *present;
    DINETTE_CHECK(change(place, found->keyspace(), statement, after));
    DINETTE_CHECK(check_users(place, found->keyspace(), after));
  }
  Answer<void> altered = invalid("Cannot alter type in unknown keyspace " + std::string(keyspace));
  UserType changed;
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    Keyspace now = current.schema_as<KeyspaceSchema>().keyspace();
    const auto type = std::ranges::find(now.types, name, &UserType::name);
    if (type == now.types.end()) {
      altered = invalid("No user type named " + std::string(keyspace) + "." + name + " exists.");
      return std::nullopt;
    }
    altered = change(place, now, statement, *type);
    if (!altered) return std::nullopt;
    changed = *type;
    for (UserType& other : now.types) {
      for (Type& field : other.types) update_type(changed, field);
    }
    return store::TableUpdate(encode(now));
  };
  DINETTE_CQL_STORED([[maybe_unused]] const auto updated,
                     place.store.catalog().update(*found->stored, decide));
  DINETTE_CHECK(std::move(altered));
  DINETTE_CHECK(update_tables(place, changed, keyspace));
  return std::optional(SchemaOutcome{.change = {.kind = frames::SchemaChange::Kind::updated,
                                                .target = frames::SchemaChange::Target::type,
                                                .keyspace = std::string(keyspace),
                                                .name = name},
                                     .done = place.now});
}

}  // namespace dinette::cql::schema
