#include <string>
#include <vector>

#include "dinette/dynamodb/replication.h"
#include "dinette/dynamodb/service.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/replicas/link_log.h"
#include "dynamodb/replicas/members.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {
namespace {

constexpr std::size_t tables_per_page = 100;

/// Adds the links from one replica to the others.
kv::Result<void> add_states(tenancy::World& world, store::Store& store, const store::Table& table,
                            std::vector<ReplicationState>& states) {
  const api::TableRecord& record = table.schema_as<TableSchema>().record();
  if (!record.replication || !record.replication->log_id) return {};
  const base::TimePoint now = world.clock().now();
  const store::StreamId log{static_cast<std::uint64_t>(*record.replication->log_id)};
  for (const api::ReplicaMember& member : record.replication->members) {
    if (member.witness) continue;
    DINETTE_TRY(const api::LinkProgress progress, read_progress(store, {log, record.region, member.region}));
    DINETTE_TRY(const store::View view, store.view());
    DINETTE_TRY(const PendingChanges pending, changes_after(view, log, progress.after));
    ReplicationState& state = states.emplace_back();
    state.table = record.table_name;
    state.from = record.region;
    state.to = member.region;
    state.status = to_string(status_at(record, member, now));
    state.cut = world.links().is_cut(record.region, member.region);
    state.pending = pending.count;
    if (pending.oldest) state.behind = now - *pending.oldest;
    state.applied = static_cast<std::uint64_t>(progress.applied);
    state.outdated = static_cast<std::uint64_t>(progress.outdated);
  }
  return {};
}

}  // namespace

kv::Result<std::vector<ReplicationState>> replication_states(tenancy::World& world) {
  std::vector<ReplicationState> states;
  world.find_name_spaces();
  for (store::Store* const store : world.stores(face().id)) {
    std::string last;
    for (;;) {
      DINETTE_TRY(const auto tables, store->catalog().list(last, tables_per_page));
      for (const store::TablePointer& table : tables)
        DINETTE_CHECK(add_states(world, *store, *table, states));
      if (tables.size() < tables_per_page) break;
      last = tables.back()->name;
    }
  }
  return states;
}

}  // namespace dinette::dynamodb
