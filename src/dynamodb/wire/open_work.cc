#include "dynamodb/wire/open_work.h"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "dinette/base/log.h"

#include "dynamodb/backups/resume.h"
#include "dynamodb/backups/version_upkeep.h"
#include "dynamodb/bulk/bulk_task.h"
#include "dynamodb/deliveries/destination_lane.h"
#include "dynamodb/exports/export_task.h"
#include "dynamodb/imports/import_entry.h"
#include "dynamodb/imports/import_task.h"
#include "dynamodb/indexes/index_build.h"
#include "dynamodb/replicas/replica_work.h"
#include "dynamodb/replicas/replication_lane.h"
#include "dynamodb/streams/stream_upkeep.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_deletion.h"
#include "dynamodb/tasks/client_token.h"
#include "dynamodb/writes/expiration.h"

namespace dinette::dynamodb {
namespace {

constexpr std::size_t tables_per_step = 100;

void resume(tenancy::World& world, store::Store& store, const store::Table& table, const Upkeep& upkeep) {
  base::Jobs& jobs = world.jobs();
  expire_items(store, jobs, table, upkeep.time_to_live_delay);
  finish_deletion_later(store, jobs, table, upkeep.recovery_window);
  for (const IndexSchema& index : table.schema_as<TableSchema>().indexes()) {
    if (index.building) build_index(store, jobs, table, index.id);
  }
  trim_versions_later(store, jobs, table, upkeep.recovery_window);
  resume_copying(store, jobs, table);
  const api::TableRecord& record = table.schema_as<TableSchema>().record();
  replicate(world, store.name_space(), record, upkeep);
  work_on_replicas(world, store.name_space(), record, upkeep);
}

/// An import may have made no table yet.
kv::Result<bool> is_empty(tenancy::World& world, const store::Store& store) {
  DINETTE_TRY(const bool untouched, world.untouched());
  if (!untouched) return false;
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(const bool imports, has_entries<api::ImportEntry>(view));
  return !imports;
}

void resume_tables(tenancy::World& world, store::Store& store, const Upkeep& upkeep) {
  world.jobs().add(
      base::Jobs::at_once,
      [&world, &store, upkeep, after = std::string()](const std::stop_token&) mutable -> base::Jobs::Next {
        const auto tables = store.catalog().list(after, tables_per_step);
        if (!tables) {
          base::log(base::LogLevel::error, "unfinished work could not be looked for",
                    {{"reason", tables.error().message}});
          return base::Jobs::done;
        }
        for (const store::TablePointer& table : *tables) resume(world, store, *table, upkeep);
        if (tables->size() < tables_per_step) return base::Jobs::done;
        after = tables->back()->name;
        return base::Jobs::at_once;
      });
}

void resume(tenancy::World& world, store::Store& store, const Upkeep& upkeep) {
  base::Jobs& jobs = world.jobs();
  resume_tokens(store, jobs);
  resume_imports(store, jobs, upkeep.objects);
  keep_streams(store, jobs, upkeep.stream_retention);
  resume_backups(store, jobs);
  resume_exports(store, jobs, upkeep.objects);
  resume_bulk({store, jobs, upkeep.objects, upkeep.time_to_live_delay});
  resume_tables(world, store, upkeep);
  resume_deliveries(world, store, upkeep.kinesis);
}

}  // namespace

void resume_open_work(tenancy::World& world, const Upkeep& upkeep) {
  for (store::Store* const store : world.stores(face().id)) {
    const auto empty = is_empty(world, *store);
    if (!empty || !*empty) resume(world, *store, upkeep);
  }
}

}  // namespace dinette::dynamodb
