#include "dynamodb/backups/resume.h"

#include <cstddef>
#include <stop_token>

#include "dinette/base/log.h"

#include "dynamodb/api/table_record.h"
#include "dynamodb/backups/copies.h"
#include "dynamodb/backups/table_filling.h"
#include "dynamodb/tables/backup_entry.h"
#include "dynamodb/tables/backup_expiry.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {
namespace {

constexpr std::size_t tables_per_step = 100;

/// Returns the table to continue after; 0 at the end.
kv::Result<store::TableId> resume_some(store::Store& store, base::Jobs& jobs, store::TableId after) {
  DINETTE_TRY(const auto tables, store.catalog().list_unnamed(after, tables_per_step));
  DINETTE_TRY(const store::View view, store.view());
  for (const store::TablePointer& table : tables) {
    resume_copying(store, jobs, *table);
    const auto& key = table->schema_as<TableSchema>().record().backup;
    if (!key) continue;
    DINETTE_TRY(const auto backup, read_entry<api::BackupEntry>(view, *key));
    if (backup) expire_backup_later(store, jobs, *backup);
  }
  return tables.size() < tables_per_step ? store::TableId() : tables.back()->id;
}

}  // namespace

void resume_copying(store::Store& store, base::Jobs& jobs, const store::Table& table) {
  if (table.schema_as<TableSchema>().record().filling) fill_table(store, jobs, table);
  if (const auto settled = settle_copies(store, table); !settled) {
    base::log(base::LogLevel::error, "unfinished copies of a table could not be looked for",
              {{"table", table.name}, {"reason", settled.error().message}});
  }
}

void resume_backups(store::Store& store, base::Jobs& jobs) {
  jobs.add(base::Jobs::at_once,
           [&store, &jobs, after = store::TableId()](const std::stop_token&) mutable -> base::Jobs::Next {
             const auto next = resume_some(store, jobs, after);
             if (!next) {
               base::log(base::LogLevel::error, "backups could not be looked for",
                         {{"reason", next.error().message}});
               return base::Jobs::done;
             }
             after = *next;
             return after == 0 ? base::Jobs::done : base::Jobs::Next(base::Jobs::at_once);
           });
}

}  // namespace dinette::dynamodb
