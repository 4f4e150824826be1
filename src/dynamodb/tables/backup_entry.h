#pragma once

#include <string>
#include <string_view>

#include "dynamodb/api/backup_entry.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/tasks/kept_entry.h"

namespace dinette::dynamodb {

/// The id of the backup that the service makes of a deleted table ends with this.
inline constexpr std::string_view system_backup = "00000000";

/// Returns the key of a backup. Keys are in the order of creation times.
std::string backup_key(std::string_view id, std::string_view table_name);

/// What is kept of each backup (docs/service/backups-pitr.md). Its items are the rows of a table without a
/// name (FORMAT.md).
template <>
struct KeptEntry<api::BackupEntry> {
  static constexpr store::SpaceId space{5};
  static constexpr std::string_view name = "a backup";
  static std::string key(const api::BackupEntry& backup) {
    return backup_key(backup.id, backup.table.table_name);
  }
  static bool is_whole(const api::BackupEntry&) { return true; }
};

/// Returns `<ARN of the table>/backup/<id>`.
std::string arn_of(const api::BackupEntry& backup);

/// Returns what a backup records of its table, which has these settings now.
api::TableRecord recorded(api::TableRecord table, const api::TableSettings& settings);

/// Returns the table without a name for the items of a backup: with the keys of the backup's table, and no
/// indexes.
api::TableRecord rows_of_backup(const api::BackupEntry& backup);

}  // namespace dinette::dynamodb
