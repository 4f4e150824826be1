#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "dinette/base/ascii.h"

#include "cql/schema/ddl.h"
#include "cql/schema/deletion.h"
#include "cql/schema/names.h"
#include "cql/schema/objects.h"
#include "cql/schema/properties.h"

// docs/service-keyspaces/ddl.md section 2.
namespace dinette::cql::schema {
namespace {

using frames::SchemaChange;
using grammar::PropertyValue;

constexpr std::size_t most_keyspaces = 256;

SchemaOutcome change_of(SchemaChange::Kind kind, std::string_view keyspace, const Transition& transition) {
  return {
      .change = {.kind = kind, .target = SchemaChange::Target::keyspace, .keyspace = std::string(keyspace)},
      .done = transition.until};
}

Answer<void> check_properties(const grammar::Properties& properties, bool created) {
  for (const auto& [name, value] : properties) {
    const bool known = name == "replication" || name == "durable_writes" || (name == "tags" && created) ||
                       (name == "client_side_timestamps" && !created);
    if (!known) return syntax_error("Unknown property '" + name + "'");
  }
  return {};
}

/// The service keeps `true`, whatever it is given; of other words Cassandra takes none for it.
void apply_durable_writes(const Place& place, const grammar::Properties& properties, Keyspace& keyspace) {
  const PropertyValue* const given = find_property(properties, "durable_writes");
  if (given == nullptr || place.strict()) return;
  keyspace.durable_writes = given->text == "1" || base::equal_ignoring_case(given->text, "true") ||
                            base::equal_ignoring_case(given->text, "yes");
}

/// Two requests at the same time may both create the last keyspace.
Answer<void> check_quota(const Place& place) {
  if (!place.strict()) return {};
  DINETTE_TRY(const Objects objects, list_objects(place));
  if (objects.keyspaces.size() < most_keyspaces) return {};
  return quota_exceeded("number of keyspaces", most_keyspaces);
}

/// A keyspace of the service gets regions one by one.
Answer<void> check_new_regions(const Place& place, const Replication& before, const Replication& after) {
  if (!place.strict()) return {};
  std::size_t kept = 0;
  for (const auto& [region, factor] : before.regions) kept += after.regions.contains(region) ? 1 : 0;
  const std::size_t had = std::max<std::size_t>(before.regions.size(), 1);
  if (kept == before.regions.size() && after.regions.size() == had + 1) return {};
  return configuration_error("ALTER KEYSPACE adds one region to those that the keyspace has");
}

Answer<void> apply(const Place& place, const grammar::Properties& properties, Keyspace& keyspace) {
  if (properties.empty()) return invalid("ALTER KEYSPACE WITH invoked, but no parameters found");
  DINETTE_CHECK(check_properties(properties, false));
  if (find_property(properties, "replication") != nullptr) {
    DINETTE_TRY(Replication replication, read_replication(place, keyspace.name, properties));
    DINETTE_CHECK(check_new_regions(place, keyspace.replication, replication));
    keyspace.replication = std::move(replication);
  }
  apply_durable_writes(place, properties, keyspace);
  const PropertyValue* const timestamps = find_property(properties, "client_side_timestamps");
  if (timestamps == nullptr) return {};
  DINETTE_TRY(keyspace.client_side_timestamps, read_status("client_side_timestamps", *timestamps));
  return {};
}

Answer<void> apply(const Place&, const grammar::AddTags& tags, Keyspace& keyspace) {
  return add_tags(tags.tags, keyspace.tags);
}

Answer<void> apply(const Place&, const grammar::DropTags& tags, Keyspace& keyspace) {
  return drop_tags(tags.tags, keyspace.tags);
}

/// Turns on the timestamps of clients in all tables (docs/service-keyspaces/timestamps.md section 1): they
/// follow one by one.
Answer<void> turn_on_timestamps(const Place& place, std::string_view keyspace) {
  DINETTE_TRY(const auto tables, list_tables(place, keyspace));
  for (const StoredTable& one : tables) {
    const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
      Table table = current.schema_as<TableSchema>().table();
      if (table.options.client_side_timestamps || table.has_counters()) return std::nullopt;
      table.options.client_side_timestamps = true;
      return store::TableUpdate(encode(table));
    };
    DINETTE_CQL_STORED([[maybe_unused]] const auto updated,
                       place.store.catalog().update(*one.stored, decide));
  }
  return {};
}

}  // namespace

SchemaAnswer create_keyspace(const Place& place, const grammar::CreateKeyspace& statement) {
  DINETTE_CHECK(check_keyspace_name(statement.name));
  DINETTE_CHECK(check_properties(statement.properties, true));
  Keyspace keyspace{
      .name = statement.name, .created = place.now, .transition = begin_transition(place, Status::creating)};
  DINETTE_TRY(keyspace.replication, read_replication(place, statement.name, statement.properties));
  apply_durable_writes(place, statement.properties, keyspace);
  if (const PropertyValue* const tags = find_property(statement.properties, "tags"))
    DINETTE_CHECK(add_tags(*tags, keyspace.tags));
  const auto exists = [&]() -> SchemaAnswer {
    if (statement.if_not_exists) return std::optional<SchemaOutcome>();
    return already_exists("Cannot add existing keyspace \"" + statement.name + "\"", statement.name, "");
  };
  DINETTE_TRY(const auto present, find_keyspace(place, statement.name));
  if (present) return exists();
  DINETTE_CHECK(check_quota(place));
  DINETTE_CHECK(remove_gone_keyspace(place, statement.name));
  DINETTE_CQL_STORED(const store::TablePointer created,
                     place.store.catalog().create(statement.name, encode(keyspace)));
  if (!created) return exists();  // by another request since the look
  return std::optional(change_of(SchemaChange::Kind::created, statement.name, keyspace.transition));
}

SchemaAnswer alter_keyspace(const Place& place, const grammar::AlterKeyspace& statement) {
  const auto missing = [&] { return invalid("Unknown keyspace " + statement.name); };
  DINETTE_TRY(const auto found, find_keyspace(place, statement.name));
  if (!found || status_at(found->keyspace().transition, place.now) == Status::deleting) return missing();
  Answer<void> applied = missing();  // unless it is still there
  Transition transition;
  bool has_timestamps = false;
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    Keyspace keyspace = current.schema_as<KeyspaceSchema>().keyspace();
    if (status_at(keyspace.transition, place.now) != Status::active) {
      applied = invalid("Keyspace " + statement.name + " is being created, updated or deleted.");
      return std::nullopt;
    }
    applied =
        std::visit([&](const auto& change) { return apply(place, change, keyspace); }, statement.change);
    if (!applied) return std::nullopt;
    has_timestamps = keyspace.has_several_regions() || keyspace.client_side_timestamps;
    transition = keyspace.transition = begin_transition(place, Status::updating);
    return store::TableUpdate(encode(keyspace));
  };
  DINETTE_CQL_STORED([[maybe_unused]] const auto changed,
                     place.store.catalog().update(*found->stored, decide));
  DINETTE_CHECK(std::move(applied));
  if (has_timestamps) DINETTE_CHECK(turn_on_timestamps(place, statement.name));
  return std::optional(change_of(SchemaChange::Kind::updated, statement.name, transition));
}

SchemaAnswer drop_keyspace(const Place& place, const grammar::DropKeyspace& statement) {
  const auto missing = [&]() -> SchemaAnswer {
    if (statement.if_exists) return std::optional<SchemaOutcome>();
    return configuration_error("Cannot drop non existing keyspace '" + statement.name + "'.");
  };
  DINETTE_TRY(const auto found, find_keyspace(place, statement.name));
  if (!found || status_at(found->keyspace().transition, place.now) == Status::deleting) return missing();
  const Transition transition = begin_transition(place, Status::deleting);
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    Keyspace keyspace = current.schema_as<KeyspaceSchema>().keyspace();
    keyspace.transition = transition;
    return store::TableUpdate(encode(keyspace));
  };
  // From now on nothing is created in it, so that its tables can be dropped one by one.
  DINETTE_CQL_STORED(const store::TablePointer marked, place.store.catalog().update(*found->stored, decide));
  if (!marked) return missing();
  if (place.state_delay.count() == 0)
    DINETTE_CHECK(remove_gone_keyspace(place, statement.name));
  else
    remove_later(place.store, place.world.jobs(), transition);
  return std::optional(change_of(SchemaChange::Kind::dropped, statement.name, transition));
}

}  // namespace dinette::cql::schema
