#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "cql/schema/ddl.h"
#include "cql/schema/names.h"
#include "cql/schema/objects.h"
#include "cql/schema/resolve_type.h"
#include "cql/schema/table_schema.h"

// docs/service-keyspaces/ddl.md section 7.
namespace dinette::cql::schema {
namespace {

using frames::SchemaChange;

constexpr std::size_t most_types = 256;
constexpr std::size_t most_children = 10;
constexpr std::size_t most_parents = 10;
constexpr std::size_t largest_type = 25 * 1024;

std::optional<SchemaOutcome> change_of_type(SchemaChange::Kind kind, std::string_view keyspace,
                                            std::string_view type, base::TimePoint now) {
  return SchemaOutcome{.change = {.kind = kind,
                                  .target = SchemaChange::Target::type,
                                  .keyspace = std::string(keyspace),
                                  .name = std::string(type)},
                       .done = now};
}

std::string full_name(std::string_view keyspace, std::string_view type) {
  return std::string(keyspace) + "." + std::string(type);
}

/// The user types that are fields of one.
std::set<std::string_view> children_of(const UserType& type) {
  std::set<std::string_view> children;
  for (const Type& field : type.types) {
    if (field.kind == Kind::udt) children.insert(field.name);
  }
  return children;
}

Answer<UserType> new_type(const Place& place, const Keyspace& keyspace,
                          const grammar::CreateType& statement) {
  UserType type{.name = statement.type.name, .changed = place.now};
  DINETTE_CHECK(check_user_type_name(type.name));
  std::size_t parts = 1;
  for (const auto& [name, type_name] : statement.fields) {
    DINETTE_CHECK(check_field_name(name));
    if (std::ranges::find(type.fields, name) != type.fields.end())
      return invalid("Duplicate field name " + name + " in type " + type.name);
    DINETTE_TRY(Type field, resolve_type(keyspace, type_name));
    if (field.kind == Kind::counter) return invalid("A user type cannot contain counters");
    if (field.kind == Kind::udt && !field.frozen)
      return invalid("A user type cannot contain non-frozen UDTs");
    if (frozen_depth(field) > most_frozen) {
      return invalid("Nesting of frozen types exceeds the maximum of " + std::to_string(most_frozen) + ".");
    }
    type.fields.push_back(name);
    type.types.push_back(std::move(field));
    DINETTE_CHECK(check_parts(parts += count_parts(type.types.back()), "type", most_parts_of_type));
  }
  return type;
}

/// The bytes of the names of its fields and of their types.
std::size_t size_of(const UserType& type) {
  std::size_t size = type.name.size();
  for (std::size_t i = 0; i < type.fields.size(); ++i)
    size += type.fields[i].size() + to_text(type.types[i]).size();
  return size;
}

/// docs/service-keyspaces/limits.md.
Answer<void> check_relatives(const Place& place, const Keyspace& keyspace, const UserType& type) {
  if (!place.strict()) return {};
  if (size_of(type) > largest_type)
    return invalid("Maximum size of a type's schema (" + std::to_string(largest_type) + " bytes) exceeded.");
  const auto children = children_of(type);
  if (children.size() > most_children) return quota_exceeded("number of child types", most_children);
  for (const std::string_view child : children) {
    const auto has_child = [&](const UserType& parent) { return children_of(parent).contains(child); };
    if (std::ranges::count_if(keyspace.types, has_child) >= static_cast<std::ptrdiff_t>(most_parents))
      return quota_exceeded("number of parent types", most_parents);
  }
  return {};
}

Answer<void> check_type_quota(const Place& place) {
  if (!place.strict()) return {};
  DINETTE_TRY(const Objects objects, list_objects(place));
  std::size_t types = 0;
  for (const StoredKeyspace& one : objects.keyspaces) types += one.keyspace().types.size();
  if (types < most_types) return {};
  return quota_exceeded("number of types", most_types);
}

Answer<void> check_unused(const Keyspace& keyspace, const std::vector<StoredTable>& tables,
                          const std::string& type) {
  const std::string refused =
      "Cannot drop user type " + full_name(keyspace.name, type) + " as it is still used by ";
  for (const UserType& other : keyspace.types) {
    const auto uses = [&](const Type& field) { return contains_user_type(field, type); };
    if (std::ranges::any_of(other.types, uses)) return invalid(refused + "user type " + other.name);
  }
  for (const StoredTable& table : tables) {
    const auto uses = [&](const Column& column) { return contains_user_type(column.type, type); };
    if (std::ranges::any_of(table.table().columns, uses))
      return invalid(refused + "table " + table.table().full_name());
  }
  return {};
}

/// Changes a keyspace that is there. `edit` gets it as it is, and may run more than once.
template <class Edit>
Answer<void> edit_keyspace(const Place& place, const StoredKeyspace& found, Edit edit) {
  Answer<void> edited = invalid("Unknown keyspace " + found.stored->name);  // unless it is still there
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    Keyspace keyspace = current.schema_as<KeyspaceSchema>().keyspace();
    edited = edit(current, keyspace);
    if (!edited) return std::nullopt;
    return store::TableUpdate(encode(keyspace));
  };
  DINETTE_CQL_STORED([[maybe_unused]] const auto changed,
                     place.store.catalog().update(*found.stored, decide));
  return edited;
}

}  // namespace

SchemaAnswer create_type(const Place& place, std::string_view keyspace,
                         const grammar::CreateType& statement) {
  const std::string& name = statement.type.name;
  DINETTE_TRY(const auto found, find_keyspace(place, keyspace));
  if (!found || !is_usable(found->keyspace().transition, place.now))
    return invalid("Cannot add type in unknown keyspace " + std::string(keyspace));
  if (found->keyspace().find_type(name) != nullptr && statement.if_not_exists)
    return std::optional<SchemaOutcome>();
  DINETTE_CHECK(check_type_quota(place));
  const auto add = [&](const store::Table&, Keyspace& current) -> Answer<void> {
    if (current.find_type(name) != nullptr)
      return invalid("A user type of name " + full_name(keyspace, name) + " already exists");
    DINETTE_TRY(UserType type, new_type(place, current, statement));
    DINETTE_CHECK(check_relatives(place, current, type));
    current.types.push_back(std::move(type));
    std::ranges::sort(current.types, {}, &UserType::name);
    return {};
  };
  DINETTE_CHECK(edit_keyspace(place, *found, add));
  return change_of_type(SchemaChange::Kind::created, keyspace, name, place.now);
}

SchemaAnswer drop_type(const Place& place, std::string_view keyspace, const grammar::DropType& statement) {
  const std::string& name = statement.type.name;
  for (;;) {
    DINETTE_TRY(const auto found, find_keyspace(place, keyspace));
    if (!found && statement.if_exists) return std::optional<SchemaOutcome>();
    if (!found) return invalid("Cannot drop type in unknown keyspace " + std::string(keyspace));
    if (found->keyspace().find_type(name) == nullptr) {
      if (statement.if_exists) return std::optional<SchemaOutcome>();
      return invalid("No user type named " + full_name(keyspace, name) + " exists.");
    }
    DINETTE_TRY(const auto tables, list_tables(place, keyspace));
    DINETTE_CHECK(check_unused(found->keyspace(), tables, name));
    bool same = true;
    const auto remove = [&](const store::Table& stored, Keyspace& current) -> Answer<void> {
      same = stored.version == found->stored->version;  // a new table may use the type
      if (same) std::erase_if(current.types, [&](const UserType& type) { return type.name == name; });
      return {};
    };
    DINETTE_CHECK(edit_keyspace(place, *found, remove));
    if (same) return change_of_type(SchemaChange::Kind::dropped, keyspace, name, place.now);
  }
}

}  // namespace dinette::cql::schema
