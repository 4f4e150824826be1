#include "dynamodb/tables/table_end.h"

#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/limits.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/tables/backup_entry.h"
#include "dynamodb/tables/recovery.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/tables/table_state.h"
#include "dynamodb/tasks/dated_id.h"

namespace dinette::dynamodb {
namespace {

/// Returns an id that no backup of a deleted table of that name has.
kv::Result<std::string> free_id(const store::Store& store, codec::Timestamp moment, const std::string& name) {
  DINETTE_TRY(const store::View view, store.view());
  for (codec::Timestamp digits = moment;; ++digits.milliseconds) {
    std::string id = dated_id(digits, system_backup);
    DINETTE_TRY(const auto taken, view.read(KeptEntry<api::BackupEntry>::space, backup_key(id, name)));
    if (!taken) return id;
  }
}

kv::Result<api::BackupEntry> backup_of(const store::Store& store, const store::Table& table,
                                       codec::Timestamp moment, std::chrono::milliseconds longest) {
  const auto& record = table.schema_as<TableSchema>().record();
  DINETTE_TRY(const store::Count count, store.count(table));
  api::BackupEntry backup;
  DINETTE_TRY(backup.id, free_id(store, moment, record.table_name));
  backup.backup_name = record.table_name + "$DeletedTableBackup";
  backup.type = api::BackupType::system;
  backup.created = moment;
  backup.available = moment;
  backup.expiry = moment + period_of(*record.recovery, longest);
  backup.item_count = count.rows;
  backup.size_bytes = count.bytes;
  backup.rows_id = static_cast<std::int64_t>(table.id);
  backup.table = recorded(record, state_at(record, moment).target);
  return backup;
}

}  // namespace

kv::Result<TableEnd> end_of_table(store::Store& store, const store::Table& table, codec::Timestamp moment,
                                  std::chrono::milliseconds longest) {
  const auto& record = table.schema_as<TableSchema>().record();
  TableEnd end;
  if (record.recovery) {
    DINETTE_TRY(end.backup, backup_of(store, table, moment, longest));
    api::TableRecord rows = rows_of_backup(*end.backup);
    rows.copies = record.copies;
    rows.exports = record.exports;
    end.drop.unnamed = encode_record(rows);
    end.drop.drops_versions = !has_readers(record);
    end.drop.entries.push_back(write_of(*end.backup));
  } else if (has_readers(record)) {
    api::TableRecord rows = recorded(record, api::TableSettings());
    rows.local_secondary_indexes.clear();
    rows.stream.reset();
    rows.time_to_live.reset();
    rows.copies = record.copies;
    rows.exports = record.exports;
    end.drop.unnamed = encode_record(rows);
  }
  return end;
}

}  // namespace dinette::dynamodb
