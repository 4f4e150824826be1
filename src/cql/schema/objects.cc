#include "cql/schema/objects.h"

#include <string>
#include <utility>

namespace dinette::cql::schema {
namespace {

constexpr std::size_t objects_per_read = 256;

bool is_there(const StoredTable& table, base::TimePoint now) {
  return !is_gone(table.table().transition, now);
}

/// Calls `visit` with all that the catalog has after `after`, until it returns false.
template <class Visit>
Answer<void> visit_catalog(const Place& place, std::string after, Visit visit) {
  for (;;) {
    DINETTE_CQL_STORED(const auto page, place.store.catalog().list(after, objects_per_read));
    for (const store::TablePointer& one : page) {
      if (!visit(one)) return {};
    }
    if (page.size() < objects_per_read) return {};
    after = page.back()->name;
  }
}

}  // namespace

Answer<std::optional<StoredKeyspace>> find_keyspace(const Place& place, std::string_view keyspace) {
  if (!names_keyspace(keyspace)) return std::optional<StoredKeyspace>();
  DINETTE_CQL_STORED(store::TablePointer found, place.store.catalog().open(keyspace));
  if (!found) return std::optional<StoredKeyspace>();
  StoredKeyspace stored{std::move(found)};
  if (is_gone(stored.keyspace().transition, place.now)) return std::optional<StoredKeyspace>();
  return std::optional(std::move(stored));
}

Answer<std::optional<StoredTable>> find_table(const Place& place, std::string_view keyspace,
                                              std::string_view table) {
  if (!names_keyspace(keyspace)) return std::optional<StoredTable>();
  DINETTE_CQL_STORED(store::TablePointer found, place.store.catalog().open(stored_name(keyspace, table)));
  if (!found) return std::optional<StoredTable>();
  StoredTable stored{std::move(found)};
  if (!is_there(stored, place.now)) return std::optional<StoredTable>();
  return std::optional(std::move(stored));
}

Answer<Objects> list_objects(const Place& place) {
  Objects objects;
  // The tables of a keyspace that is gone are gone as well, and follow it: '.' is before all that names have.
  bool keyspace_is_there = false;
  const auto visit = [&](const store::TablePointer& one) {
    if (names_keyspace(one->name)) {
      StoredKeyspace found{one};
      keyspace_is_there = !is_gone(found.keyspace().transition, place.now);
      if (keyspace_is_there) objects.keyspaces.push_back(std::move(found));
    } else if (StoredTable found{one}; keyspace_is_there && is_there(found, place.now)) {
      objects.tables.push_back(std::move(found));
    }
    return true;
  };
  DINETTE_CHECK(visit_catalog(place, "", visit));
  return objects;
}

Answer<std::vector<StoredTable>> list_tables(const Place& place, std::string_view keyspace) {
  std::vector<StoredTable> tables;
  const std::string prefix = stored_name(keyspace, "");
  const auto visit = [&](const store::TablePointer& one) {
    if (!one->name.starts_with(prefix)) return false;
    if (StoredTable found{one}; is_there(found, place.now)) tables.push_back(std::move(found));
    return true;
  };
  DINETTE_CHECK(visit_catalog(place, prefix, visit));
  return tables;
}

bool is_usable(const Table& table, base::TimePoint now) {
  return !table.filling && is_usable(table.transition, now);
}

Status status_at(const Table& table, base::TimePoint now) {
  return table.filling ? Status::restoring : status_at(table.transition, now);
}

bool is_usable(const Transition& transition, base::TimePoint now) {
  const Status status = status_at(transition, now);
  const bool exists = status == Status::active || status == Status::updating;
  return exists && !is_gone(transition, now);
}

}  // namespace dinette::cql::schema
