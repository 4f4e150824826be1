#pragma once

#include <chrono>
#include <optional>

#include "dinette/store/store.h"

#include "dynamodb/api/backup_entry.h"
#include "dynamodb/codec/inputs.h"

namespace dinette::dynamodb {

/// What becomes of a deleted table.
struct TableEnd {
  store::TableDrop drop;
  std::optional<api::BackupEntry> backup;  ///< what stays of it
};

/// Returns what becomes of a table that is deleted for good at `moment`. One with point-in-time recovery
/// leaves a backup behind; one whose past is being read keeps its rows, without a name, until that has
/// ended (docs/service/backups-pitr.md section 1). `longest`: see period_of().
kv::Result<TableEnd> end_of_table(store::Store& store, const store::Table& table, codec::Timestamp moment,
                                  std::chrono::milliseconds longest);

}  // namespace dinette::dynamodb
