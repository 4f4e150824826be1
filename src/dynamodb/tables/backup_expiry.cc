#include "dynamodb/tables/backup_expiry.h"

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>

#include "dinette/tenancy/upkeep.h"

#include "dynamodb/tables/backup_entry.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {
namespace {

/// Returns false while a table is restored from it.
kv::Result<bool> expire(store::Store& store, const api::BackupEntry& backup) {
  const auto id = static_cast<store::TableId>(backup.rows_id);
  DINETTE_TRY(const store::TablePointer rows, store.catalog().open_unnamed(id));
  if (!rows) return true;
  bool in_use = false;
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableDrop> {
    in_use = has_readers(current.schema_as<TableSchema>().record());
    if (in_use) return std::nullopt;
    return store::TableDrop{.entries = {erasure_of(backup)}};
  };
  DINETTE_TRY([[maybe_unused]] const bool dropped, store.catalog().drop(*rows, decide));
  return !in_use;
}

}  // namespace

void expire_backup_later(store::Store& store, base::Jobs& jobs, const api::BackupEntry& backup) {
  if (!backup.expiry) return;
  const base::TimePoint due = backup.expiry->time();
  tenancy::run_upkeep(store, jobs, "expiry of backup " + key_of(backup), due,
                      [&store, backup](const std::stop_token&) -> kv::Result<base::Jobs::Next> {
                        DINETTE_TRY(const bool expired, expire(store, backup));
                        return expired ? base::Jobs::done : base::Jobs::Next(base::Jobs::next_try);
                      });
}

}  // namespace dinette::dynamodb
