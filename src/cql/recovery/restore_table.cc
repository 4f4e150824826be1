#include "cql/recovery/restore_table.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/waiting.h"
#include "dinette/store/past_rows.h"

#include "cql/data/record_change.h"
#include "cql/schema/change_streams.h"
#include "cql/schema/deletion.h"
#include "cql/schema/dropped_tables.h"
#include "cql/schema/names.h"
#include "cql/schema/new_table.h"
#include "cql/schema/objects.h"
#include "cql/schema/properties.h"
#include "cql/schema/table_schema.h"
#include "cql/system/open_table.h"
#include "cql/values/calendar.h"

namespace dinette::cql::recovery {
namespace {

using schema::Keyspace;
using schema::SchemaAnswer;
using schema::SchemaOutcome;
using schema::StoredTable;
using schema::Table;

constexpr std::size_t rows_per_commit = 100;
constexpr std::size_t most_at_once = 4;
constexpr std::string_view moment_property = "restore_timestamp";

/// The last moment of a table: now, or when it was dropped.
base::TimePoint end_of(const Place& place, const Table& source) {
  return schema::is_gone(source.transition, place.now) ? source.transition.until : place.now;
}

/// Returns the moment that the statement names, else the last one.
Answer<base::TimePoint> moment_of(const Place& place, const Table& source,
                                  const grammar::Properties& properties) {
  const grammar::PropertyValue* const given = schema::find_property(properties, moment_property);
  if (given == nullptr) return end_of(place, source);
  const auto milliseconds = given->is_map ? std::nullopt : read_timestamp(given->text);
  if (!milliseconds) return invalid("Unable to coerce '" + given->text + "' to a formatted date (long)");
  return base::TimePoint(std::chrono::milliseconds(*milliseconds));
}

Answer<void> check_moment(const Place& place, const Table& source, base::TimePoint moment) {
  if (!source.options.point_in_time_recovery)
    return invalid("Point-in-time recovery is not enabled for table " + source.full_name() + ".");
  // A moment without a fraction may be that of the statement that turned it on.
  const base::TimePoint earliest = std::chrono::floor<std::chrono::seconds>(
      std::max(source.options.recoverable_since, place.now - schema::recovery_window));
  if (moment >= earliest && moment <= end_of(place, source)) return {};
  return invalid("The restore timestamp is outside of the recovery window of table " + source.full_name() +
                 ".");
}

/// The properties that override those of the source.
Answer<void> apply_properties(const Place& place, const grammar::Properties& given, Table& table) {
  grammar::Properties properties = given;
  std::erase_if(properties, [](const auto& one) { return one.first == moment_property; });
  for (const auto& [name, value] : properties) {
    if (name != "custom_properties" && name != "autoscaling_settings" && name != "tags")
      return syntax_error("Unknown property '" + name + "'");
  }
  return schema::apply_properties(place, properties, true, table);
}

/// The table before it has rows. Streams and tags are not restored.
Answer<Table> restored_table(const Place& place, const grammar::RestoreTable& statement,
                             std::string_view keyspace, const Table& source) {
  Table table = source;
  table.keyspace = keyspace;
  table.name = statement.table.name;
  table.id = schema::random_uuid(place.store.ids());
  table.tags.clear();
  table.options.cdc = {};
  table.created = place.now;
  table.filling = true;
  table.transition = {};
  table.options.recoverable_since = place.now;
  table.options.capacity.decreases.clear();
  table.options.encryption_changes.clear();
  DINETTE_CHECK(schema::check_table_name(table.name));
  DINETTE_CHECK(apply_properties(place, statement.with.properties, table));
  return table;
}

void add_user_types(const Type& type, std::vector<const Type*>& out) {
  for (const Type& argument : type.arguments) add_user_types(argument, out);
  if (type.kind == Kind::udt) out.push_back(&type);
}

void move_to(std::string_view keyspace, Type& type) {
  for (Type& argument : type.arguments) move_to(keyspace, argument);
  if (type.kind == Kind::udt) type.keyspace = keyspace;
}

/// Adds the user types of the table that the keyspace lacks. Fails if it has others of these names.
Answer<void> add_missing_types(const Place& place, const Table& table, Keyspace& keyspace) {
  std::vector<const Type*> used;  // those inside others come first
  for (const schema::Column& column : table.columns) add_user_types(column.type, used);
  for (const Type* const type : used) {
    schema::UserType wanted{.name = type->name, .fields = type->fields, .types = type->arguments};
    for (Type& field : wanted.types) move_to(keyspace.name, field);
    const schema::UserType* const present = keyspace.find_type(type->name);
    if (present == nullptr) {
      wanted.changed = place.now;
      keyspace.types.push_back(std::move(wanted));
      std::ranges::sort(keyspace.types, {}, &schema::UserType::name);
    } else if (present->fields != wanted.fields || present->types != wanted.types) {
      return invalid("User type " + keyspace.name + "." + type->name + " is not that of the source table.");
    }
  }
  return {};
}

/// Copies the rows of a moment.
class Filling {
 public:
  Filling(const Place& place, const store::Table& source, const store::Table& target)
      : place_(place), source_(source), target_(target) {}

  Answer<void> run(base::TimePoint moment) {
    DINETTE_CQL_STORED(const store::View view, place_.store.view());
    DINETTE_CQL_STORED(auto rows, view.scan_past(source_, {.moment = moment}));
    for (;;) {
      DINETTE_CQL_STORED(const bool more, rows.next());
      if (more) batch_.push_back({rows.key(), rows.value()});
      if (batch_.size() == rows_per_commit || (!more && !batch_.empty())) DINETTE_CHECK(write_batch());
      if (!more) return {};
    }
  }

 private:
  Answer<void> write_batch() {
    const Table& table = target_.schema_as<schema::TableSchema>().table();
    std::vector<store::WriteTarget> targets;
    for (const store::KeyAndValue& row : batch_) targets.push_back(store::WriteTarget::row(target_, row.key));
    const auto decide = [&](const store::Rows&, store::RowChanges changes) -> Answer<void> {
      for (std::size_t i = 0; i < batch_.size(); ++i) {
        changes[i] = {};
        DINETTE_CQL_STORED(changes[i], data::put_record(table, batch_[i].key, batch_[i].value));
      }
      return {};
    };
    DINETTE_CQL_STORED(auto written, place_.store.write(targets, decide));
    batch_.clear();
    if (written.outcome == store::WriteOutcome::applied) return {};
    if (written.outcome == store::WriteOutcome::refused) return std::move(written.decision);
    return invalid("Table " + table.full_name() + " was dropped while it was being restored.");
  }

  const Place& place_;
  const store::Table& source_;
  const store::Table& target_;
  std::vector<store::KeyAndValue> batch_;
};

/// Creates the table in the commit that gives its keyspace the types.
Answer<store::TablePointer> create(const Place& place, const schema::StoredKeyspace& owner, Table& table) {
  Answer<void> created = already_exists(
      "Cannot add already existing table \"" + table.name + "\" to keyspace \"" + table.keyspace + "\"",
      table.keyspace, table.name);
  const auto decide = [&](const store::Table& current,
                          store::TableId) -> std::optional<store::TableCreation> {
    Keyspace keyspace = current.schema_as<schema::KeyspaceSchema>().keyspace();
    created = schema::is_usable(keyspace.transition, place.now)
                  ? add_missing_types(place, table, keyspace)
                  : Answer<void>(invalid("unconfigured keyspace " + keyspace.name));
    if (!created) return std::nullopt;
    for (schema::Column& column : table.columns) move_to(keyspace.name, column.type);
    return store::TableCreation{.description = schema::encode(table), .source = schema::encode(keyspace)};
  };
  DINETTE_CQL_STORED(store::TableAndSource both,
                     place.store.catalog().create_from(
                         *owner.stored, schema::stored_name(table.keyspace, table.name), decide));
  if (!both.created) {
    DINETTE_CHECK(std::move(created));
    return invalid("unconfigured keyspace " + table.keyspace);
  }
  return std::move(both.created);
}

Answer<void> finish(const Place& place, const store::Table& stored, Table& table) {
  table.filling = false;
  table.transition = schema::begin_transition(place, schema::Status::restoring);
  const auto decide = [&](const store::Table&) { return std::optional(store::TableUpdate(encode(table))); };
  DINETTE_CQL_STORED([[maybe_unused]] const auto updated, place.store.catalog().update(stored, decide));
  return {};
}

/// The table of that name, or the one that was dropped last.
Answer<StoredTable> source_of(const Place& place, std::string_view keyspace, std::string_view table) {
  DINETTE_TRY(auto found, schema::find_table(place, keyspace, table));
  if (!found) {
    DINETTE_TRY(found, schema::find_dropped_table(place, keyspace, table));
    if (found) return *std::move(found);
  }
  if (found && schema::is_usable(found->table(), place.now)) return *std::move(found);
  return invalid("unconfigured table " + std::string(keyspace) + "." + std::string(table));
}

/// docs/service-keyspaces/limits.md.
Answer<void> check_restores(const Place& place) {
  if (!place.strict()) return {};
  DINETTE_TRY(const schema::Objects objects, schema::list_objects(place));
  const auto is_restoring = [&](const StoredTable& one) {
    return schema::status_at(one.table(), place.now) == schema::Status::restoring;
  };
  if (std::ranges::count_if(objects.tables, is_restoring) < static_cast<std::ptrdiff_t>(most_at_once))
    return {};
  return quota_exceeded("number of restores at once", most_at_once);
}

}  // namespace

SchemaAnswer restore_table(const Place& place, std::string_view keyspace,
                           const grammar::RestoreTable& statement) {
  if (!base::may_wait()) return must_wait();
  DINETTE_TRY(const std::string_view from, system::keyspace_of(statement.source.keyspace, keyspace));
  DINETTE_TRY(const std::string_view to, system::keyspace_of(statement.table.keyspace, keyspace));
  DINETTE_TRY(const StoredTable source, source_of(place, from, statement.source.name));
  DINETTE_TRY(const base::TimePoint moment, moment_of(place, source.table(), statement.with.properties));
  DINETTE_CHECK(check_moment(place, source.table(), moment));
  DINETTE_TRY(const auto owner, schema::find_keyspace(place, to));
  if (!owner) return configuration_error("Keyspace " + std::string(to) + " doesn't exist");
  DINETTE_CHECK(check_restores(place));
  DINETTE_TRY(Table table, restored_table(place, statement, to, source.table()));
  DINETTE_CHECK(schema::check_table_quotas(place, table));
  DINETTE_CHECK(schema::remove_gone_table(place, to, table.name));
  DINETTE_TRY(const store::TablePointer created, create(place, *owner, table));
  schema::remove_unfinished_later(place.store, place.world.jobs());
  if (auto filled = Filling(place, *source.stored, *created).run(moment); !filled) {
    DINETTE_CQL_STORED([[maybe_unused]] const bool dropped, schema::drop_stored(place.store, *created));
    return std::move(filled).failure();
  }
  DINETTE_CHECK(finish(place, *created, table));
  if (place.details != nullptr) place.details->table(table.full_name());
  return std::optional(SchemaOutcome{.change = {.kind = frames::SchemaChange::Kind::created,
                                                .target = frames::SchemaChange::Target::table,
                                                .keyspace = table.keyspace,
                                                .name = table.name},
                                     .done = table.transition.until});
}

SchemaAnswer execute_definition(const Place& place, std::string_view keyspace,
                                const grammar::Statement& statement) {
  DINETTE_CHECK(system::check_modifiable(schema::keyspace_of_ddl(statement, keyspace)));
  if (const auto* const restore = std::get_if<grammar::RestoreTable>(&statement.value))
    return restore_table(place, keyspace, *restore);
  return schema::execute_ddl(place, keyspace, statement);
}

}  // namespace dinette::cql::recovery
