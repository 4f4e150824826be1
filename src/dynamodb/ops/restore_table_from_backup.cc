#include "dynamodb/api/restore_table_from_backup.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "dynamodb/api/restore_summary.h"
#include "dynamodb/api/table_description.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/backups/backup_arn.h"
#include "dynamodb/backups/backup_description.h"
#include "dynamodb/backups/restore.h"
#include "dynamodb/backups/restored_table.h"
#include "dynamodb/tables/table_schema.h"

// docs/service/backups-pitr.md section 3.
namespace dinette::dynamodb::ops {
namespace {

Answer<void> check_region(const Context& context, const BackupArn& arn, const RestoreOverrides& overrides) {
  if (arn.region == context.region || overrides.encryption) return {};
  return invalid_request("sseSpecificationOverride must be provided for cross-region restores");
}

/// Checks that no other table is being restored from the backup.
Answer<void> check_unused(const store::Table& rows, const BackupArn& arn) {
  if (!has_copies(rows.schema_as<TableSchema>().record())) return {};
  return base::Failure{ApiError{api::ErrorCode::backup_in_use_exception,
                                "Backup is being used to restore another table: " + std::string(arn.text)}};
}

}  // namespace

Answer<api::RestoreTableFromBackupOutput> restore_table_from_backup(
    const Context& context, api::RestoreTableFromBackupInput&& input) {
  const RestoreOverrides overrides = take_overrides(input);
  DINETTE_TRY(const BackupArn arn, parse_backup_arn(context, input.backup_arn));
  DINETTE_CHECK(check_region(context, arn, overrides));
  DINETTE_CHECK(check_overrides(overrides));
  DINETTE_TRY(const OpenBackup backup, open_backup(context, arn));
  DINETTE_CHECK(check_target(context, input.target_table_name));
  const api::TableRecord& recorded = backup.entry.table;
  NewRestore made;
  DINETTE_TRY(made.table,
              restored_table(context, recorded, recorded.settings, input.target_table_name, overrides));
  made.table.restore =
      api::RestoreSummary{input.backup_arn, arn_of_table(recorded), backup.entry.created, true};
  made.table_version = std::numeric_limits<std::int64_t>::max();  // rows that are entered later are seen
  const auto decide = [&](const store::Table& rows) -> Answer<NewRestore> {
    DINETTE_CHECK(check_unused(rows, arn));
    return made;
  };
  DINETTE_TRY(api::TableDescription description,
              restore(context, *backup.rows, decide, input.target_table_name, backup_not_found(arn.text)));
  return api::RestoreTableFromBackupOutput{std::move(description)};
}

}  // namespace dinette::dynamodb::ops
