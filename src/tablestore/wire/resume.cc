#include "tablestore/wire/resume.h"

#include <cstddef>
#include <stop_token>
#include <string>

#include "dinette/tenancy/upkeep.h"

#include "tablestore/indexes/index_build.h"
#include "tablestore/indexes/index_names.h"
#include "tablestore/request/context.h"
#include "tablestore/rows/expiry.h"
#include "tablestore/streams/stream_upkeep.h"
#include "tablestore/tables/former_streams.h"
#include "tablestore/tables/table_schema.h"

namespace dinette::tablestore::wire {
namespace {

constexpr std::size_t tables_per_step = 100;

kv::Result<void> resume_table(store::Store& store, base::Jobs& jobs, const store::Table& table) {
  if (table.schema_as<TableSchema>().is_index()) return drop_left_over_name(store, table.name);
  DINETTE_CHECK(make_names(store, table));
  build_indexes_later(store, jobs, table);
  remove_expired_later(store, jobs, table);
  remove_expired_records_later(store, jobs, table);
  return {};
}

void resume_tables(store::Store& store, base::Jobs& jobs) {
  const auto step = [&store, &jobs,
                     after = std::string()](const std::stop_token&) mutable -> kv::Result<base::Jobs::Next> {
    DINETTE_TRY(const auto tables, store.catalog().list(after, tables_per_step));
    for (const store::TablePointer& table : tables) DINETTE_CHECK(resume_table(store, jobs, *table));
    if (tables.size() < tables_per_step) return base::Jobs::done;
    after = tables.back()->name;
    return base::Jobs::Next(base::Jobs::at_once);
  };
  tenancy::run_upkeep(store, jobs, "unfinished work on tables of Tablestore", base::Jobs::at_once, step);
}

}  // namespace

void resume(tenancy::World& world) {
  const auto untouched = world.untouched();
  if (untouched && *untouched) return;
  for (store::Store* const store : world.stores(face_id)) {
    resume_tables(*store, world.jobs());
    erase_former_streams_later(*store, world.jobs());
  }
}

}  // namespace dinette::tablestore::wire
