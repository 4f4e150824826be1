#include "cql/schema/deletion.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "dinette/base/log.h"
#include "dinette/tenancy/upkeep.h"

#include "cql/schema/change_streams.h"
#include "cql/schema/dropped_tables.h"
#include "cql/schema/unfinished_restores.h"

namespace dinette::cql::schema {
namespace {

constexpr std::size_t objects_per_step = 100;
constexpr std::string_view job_name = "removal of keyspaces and tables of Amazon Keyspaces";

const Transition& transition_of(const store::Table& stored) {
  return names_keyspace(stored.name) ? stored.schema_as<KeyspaceSchema>().keyspace().transition
                                     : stored.schema_as<TableSchema>().table().transition;
}

/// Drops the tables of a keyspace, then the keyspace itself.
kv::Result<void> remove_keyspace(store::Store& store, const store::Table& keyspace) {
  const std::string prefix = stored_name(keyspace.name, "");
  for (;;) {
    DINETTE_TRY(const auto tables, store.catalog().list(prefix, objects_per_step));
    bool more = !tables.empty();
    for (const store::TablePointer& table : tables) {
      more = more && table->name.starts_with(prefix);
      if (more) DINETTE_CHECK(drop_stored(store, *table));
    }
    if (!more) break;
  }
  DINETTE_CHECK(drop_stored(store, keyspace));
  return {};
}

kv::Result<void> remove(store::Store& store, const store::Table& gone) {
  if (names_keyspace(gone.name)) return remove_keyspace(store, gone);
  DINETTE_CHECK(drop_stored(store, gone));
  return {};
}

Answer<void> remove_if_gone(const Place& place, const std::string& name) {
  DINETTE_CQL_STORED(const store::TablePointer found, place.store.catalog().open(name));
  if (!found || !is_gone(transition_of(*found), place.now)) return {};
  if (const auto removed = remove(place.store, *found); !removed) return storage_failure(removed.error());
  return {};
}

/// Removes all that is gone. Returns when the next object is.
kv::Result<base::Jobs::Next> remove_all(store::Store& store) {
  const base::TimePoint now = store.clock().now();
  base::Jobs::Next next = base::Jobs::done;
  std::string after;
  for (;;) {
    DINETTE_TRY(const auto page, store.catalog().list(after, objects_per_step));
    for (const store::TablePointer& one : page) {
      const Transition& transition = transition_of(*one);
      if (is_gone(transition, now)) {
        DINETTE_CHECK(remove(store, *one));
      } else if (transition.status == Status::deleting) {
        next = std::min(next.value_or(transition.until), transition.until);
      }
    }
    if (page.size() < objects_per_step) break;
    after = page.back()->name;
  }
  DINETTE_CHECK(trim_dropped_streams(store));
  return next;
}

/// Removes the tables that a RESTORE TABLE was filling when the process ended, or when the world was forked.
kv::Result<void> remove_unfilled(store::Store& store) {
  std::string after;
  for (;;) {
    DINETTE_TRY(const auto page, store.catalog().list(after, objects_per_step));
    for (const store::TablePointer& one : page) {
      const bool unfilled = !names_keyspace(one->name) && one->schema_as<TableSchema>().table().filling;
      if (unfilled) DINETTE_CHECK(drop_stored(store, *one));
    }
    if (page.size() < objects_per_step) return {};
    after = page.back()->name;
  }
}

base::Jobs::Next earlier(const base::Jobs::Next& a, const base::Jobs::Next& b) {
  return a && b ? std::min(*a, *b) : (a ? a : b);
}

void remove_at(store::Store& store, base::Jobs& jobs, base::TimePoint due) {
  const auto restores = std::make_shared<UnfinishedRestores>();
  const auto step = [&store, restores](const std::stop_token&) -> kv::Result<base::Jobs::Next> {
    DINETTE_TRY(const base::Jobs::Next gone, remove_all(store));
    DINETTE_TRY(const base::Jobs::Next unrestorable, drop_unrestorable(store));
    DINETTE_TRY(const base::Jobs::Next unfinished, restores->look(store));
    return earlier(gone, earlier(unrestorable, unfinished));
  };
  tenancy::run_upkeep(store, jobs, std::string(job_name), due, step);
}

}  // namespace

Answer<void> remove_gone_keyspace(const Place& place, std::string_view keyspace) {
  return remove_if_gone(place, std::string(keyspace));
}

Answer<void> remove_gone_table(const Place& place, std::string_view keyspace, std::string_view table) {
  return remove_if_gone(place, stored_name(keyspace, table));
}

void remove_later(store::Store& store, base::Jobs& jobs, const Transition& transition) {
  remove_at(store, jobs, transition.until);
}

void remove_unfinished_later(store::Store& store, base::Jobs& jobs) {
  remove_at(store, jobs, store.clock().now());
}

void resume_removals(tenancy::World& world) {
  const auto untouched = world.untouched();
  if (untouched && *untouched) return;
  for (store::Store* const store : world.stores(face_id)) {
    // Another server may be filling one: the job looks whether it does.
    const auto removed = world.servers() == 1 ? remove_unfilled(*store) : kv::Result<void>();
    if (!removed)
      base::log(base::LogLevel::warn, "restored tables could not be removed",
                {{"reason", removed.error().message}});
    remove_at(*store, world.jobs(), base::Jobs::at_once);
  }
}

}  // namespace dinette::cql::schema
