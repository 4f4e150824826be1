#include "cql/schema/dropped_tables.h"

#include <algorithm>
#include <utility>

namespace dinette::cql::schema {
namespace {

constexpr std::size_t tables_per_step = 100;

/// Calls `visit` with each table without a name.
template <class Visit>
kv::Result<void> visit_dropped(store::Store& store, Visit visit) {
  store::TableId after{};
  for (;;) {
    DINETTE_TRY(const auto page, store.catalog().list_unnamed(after, tables_per_step));
    for (const store::TablePointer& one : page) DINETTE_CHECK(visit(one));
    if (page.size() < tables_per_step) return {};
    after = page.back()->id;
  }
}

base::TimePoint end_of(const StoredTable& dropped) {
  return dropped.table().transition.until;
}

}  // namespace

std::optional<Table> kept_when_dropped(const Table& table, base::TimePoint now) {
  if (!table.options.point_in_time_recovery || table.filling) return std::nullopt;
  Table kept = table;
  kept.options.cdc = {};  // its records are erased
  const base::TimePoint end =
      table.transition.status == Status::deleting ? std::min(table.transition.until, now) : now;
  kept.transition = {.status = Status::deleting, .begun = end, .until = end};
  return kept;
}

Answer<std::optional<StoredTable>> find_dropped_table(const Place& place, std::string_view keyspace,
                                                      std::string_view table) {
  std::optional<StoredTable> found;
  const auto visit = [&](const store::TablePointer& one) -> kv::Result<void> {
    StoredTable dropped{one};
    const bool named = dropped.table().keyspace == keyspace && dropped.table().name == table;
    if (!named || end_of(dropped) + recovery_window <= place.now) return {};
    if (!found || end_of(*found) <= end_of(dropped)) found = std::move(dropped);
    return {};
  };
  if (const auto visited = visit_dropped(place.store, visit); !visited)
    return storage_failure(visited.error());
  return found;
}

kv::Result<base::Jobs::Next> drop_unrestorable(store::Store& store) {
  const base::TimePoint now = store.clock().now();
  base::Jobs::Next next = base::Jobs::done;
  const auto visit = [&](const store::TablePointer& one) -> kv::Result<void> {
    const base::TimePoint last = end_of({one}) + recovery_window;
    if (last > now) {
      next = std::min(next.value_or(last), last);
      return {};
    }
    DINETTE_CHECK(store.catalog().drop(*one));
    return {};
  };
  DINETTE_CHECK(visit_dropped(store, visit));
  return next;
}

}  // namespace dinette::cql::schema
