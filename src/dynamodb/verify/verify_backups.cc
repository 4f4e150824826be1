#include "dynamodb/verify/verify_backups.h"

#include <cstddef>
#include <string>

#include "dynamodb/tables/backup_entry.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/verify/verify_entries.h"
#include "dynamodb/verify/verify_table.h"

namespace dinette::dynamodb {
namespace {

kv::Result<void> verify_unnamed(const store::View& view, const store::Table& table, Findings& findings) {
  verify_table(view, table, findings);
  const auto& record = table.schema_as<TableSchema>().record();
  if (!record.backup) {
    if (!has_readers(record)) findings.fault("there are items of a deleted table " + record.table_name);
    return {};
  }
  DINETTE_TRY(const auto backup, read_entry<api::BackupEntry>(view, *record.backup));
  if (!backup || static_cast<store::TableId>(backup->rows_id) != table.id)
    findings.fault("there are items of a deleted backup " + *record.backup);
  return {};
}

kv::Result<void> verify_all_unnamed(store::Store& store, const store::View& view, Findings& findings) {
  constexpr std::size_t tables_per_page = 100;
  for (store::TableId after = 0;;) {
    DINETTE_TRY(const auto tables, store.catalog().list_unnamed(after, tables_per_page));
    for (const store::TablePointer& table : tables) DINETTE_CHECK(verify_unnamed(view, *table, findings));
    if (tables.size() < tables_per_page) return {};
    after = tables.back()->id;
  }
}

kv::Result<void> verify_items_of(store::Store& store, const api::BackupEntry& backup, Findings& findings) {
  DINETTE_TRY(const auto rows, store.catalog().open_unnamed(static_cast<store::TableId>(backup.rows_id)));
  if (!rows) findings.fault("the backup " + key_of(backup) + " has no items");
  return {};
}

}  // namespace

void verify_backups(store::Store& store, const store::View& view, Findings& findings) {
  findings.fault_unless(verify_all_unnamed(store, view, findings), "the tables without names");
  const auto verify = [&](const api::BackupEntry& backup) {
    return verify_items_of(store, backup, findings);
  };
  findings.fault_unless(verify_entries<api::BackupEntry>(view, findings, verify), "the list of backups");
}

}  // namespace dinette::dynamodb
