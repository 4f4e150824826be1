#include "dynamodb/api/delete_backup.h"

#include <chrono>
#include <optional>
#include <string>

#include "dinette/base/time_text.h"

#include "dynamodb/api/backup_description.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/backups/backup_arn.h"
#include "dynamodb/backups/backup_description.h"
#include "dynamodb/tables/backup_entry.h"
#include "dynamodb/tables/table_schema.h"

// docs/service/backups-pitr.md section 1.
namespace dinette::dynamodb::ops {
namespace {

Answer<void> check_deletable(const api::BackupEntry& backup, const std::string& arn) {
  if (!backup.expiry) return {};
  const base::TimePoint expiry = backup.expiry->time();
  return validation("Invalid Request: User is not allowed to delete the system backup with arn " + arn +
                    ". It will automatically expire on " + base::format_time(expiry));
}

}  // namespace

Answer<api::DeleteBackupOutput> delete_backup(const Context& context, api::DeleteBackupInput&& input) {
  DINETTE_TRY(const BackupArn arn, parse_backup_arn(context, input.backup_arn));
  DINETTE_TRY(const OpenBackup backup, open_backup(context, arn));
  DINETTE_CHECK(check_deletable(backup.entry, input.backup_arn));
  bool in_use = false;
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableDrop> {
    in_use = has_copies(current.schema_as<TableSchema>().record());
    if (in_use) return std::nullopt;
    return store::TableDrop{.entries = {{KeptEntry<api::BackupEntry>::space, arn.key(), {}}}};
  };
  DINETTE_STORED(const bool dropped, context.store.catalog().drop(*backup.rows, decide));
  if (in_use) {
    return base::Failure{ApiError{api::ErrorCode::backup_in_use_exception,
                                  "Backup is being used to restore table: " + input.backup_arn}};
  }
  if (!dropped) return backup_not_found(arn.text);  // by another request
  return api::DeleteBackupOutput{describe(backup.entry, api::BackupStatus::deleted, input.backup_arn)};
}

}  // namespace dinette::dynamodb::ops
