#include "dynamodb/api/create_backup.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "dynamodb/api/backup_details.h"
#include "dynamodb/api/backup_entry.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/backups/backup_description.h"
#include "dynamodb/backups/table_filling.h"
#include "dynamodb/tables/backup_entry.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/recovery.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tasks/dated_id.h"

// docs/service/backups-pitr.md section 1.
namespace dinette::dynamodb::ops {
namespace {

bool is_creating(const Context& context, const store::Table& table) {
  const auto& record = table.schema_as<TableSchema>().record();
  return state_at(record, context.now).status == api::TableStatus::creating;
}

kv::Result<api::BackupEntry> new_backup(const Context& context, const store::Table& table,
                                        const std::string& name, const std::string& id) {
  const auto& record = table.schema_as<TableSchema>().record();
  DINETTE_TRY(const store::Count count, context.store.count(table));
  api::BackupEntry backup;
  backup.created = context.now;
  backup.id = id;
  backup.backup_name = name;
  backup.type = api::BackupType::user;
  backup.available = backup.created + context.settings.state_delay;
  backup.item_count = count.rows;
  backup.size_bytes = count.bytes;
  backup.table = recorded(record, state_at(record, context.now).settings);
  return backup;
}

/// The table for the backup's items, which are those of `source` now, and what `source` becomes.
store::TableCreation begin_backup(const api::BackupEntry& backup, const store::Table& source) {
  api::TableRecord rows = rows_of_backup(backup);
  const auto version = static_cast<std::int64_t>(source.version + 1);
  rows.filling = api::TableFilling{static_cast<std::int64_t>(source.id), source.name, std::nullopt, version};
  api::TableRecord copied = source.schema_as<TableSchema>().record();
  if (!copied.copies) copied.copies.emplace();
  copied.copies->push_back({backup.rows_id, ""});
  store::TableUpdate update(encode_record(copied));
  update.entries.push_back(write_of(backup));
  return {encode_record(rows), std::move(update)};
}

}  // namespace

Answer<api::CreateBackupOutput> create_backup(const Context& context, api::CreateBackupInput&& input) {
  DINETTE_TRY(const OpenTable table, open_for_backup(context, input.table_name));
  if (table.record().import_key) return backups_not_ready(table.record());
  const std::string id = new_dated_id(context.now, context.store.ids());
  kv::Result<api::BackupEntry> backup = api::BackupEntry();
  bool creating = false;
  const auto decide = [&](const store::Table& current,
                          store::TableId rows) -> std::optional<store::TableCreation> {
    creating = is_creating(context, current);
    if (creating) return std::nullopt;
    backup = new_backup(context, current, input.backup_name, id);
    if (!backup) return std::nullopt;
    backup->rows_id = static_cast<std::int64_t>(rows);
    return begin_backup(*backup, current);
  };
  DINETTE_STORED(const store::TableAndSource made,
                 context.store.catalog().create_from(*table.table, "", decide));
  if (!backup) return storage_failure(backup.error());
  if (creating || !made.created) return backup_table_not_found(table.table->name);
  fill_table(context.store, context.jobs, *made.created);
  return api::CreateBackupOutput{describe_details(*backup, api::BackupStatus::creating, arn_of(*backup))};
}

}  // namespace dinette::dynamodb::ops
