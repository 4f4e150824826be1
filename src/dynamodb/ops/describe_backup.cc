#include "dynamodb/api/describe_backup.h"

#include "dynamodb/api/backup_description.h"
#include "dynamodb/backups/backup_arn.h"
#include "dynamodb/backups/backup_description.h"

// docs/service/backups-pitr.md section 1.
namespace dinette::dynamodb::ops {

Answer<api::DescribeBackupOutput> describe_backup(const Context& context, api::DescribeBackupInput&& input) {
  DINETTE_TRY(const BackupArn arn, parse_backup_arn(context, input.backup_arn));
  DINETTE_TRY(const OpenBackup backup, open_backup(context, arn));
  DINETTE_TRY(const api::BackupStatus status, status_of(context, backup.entry));
  return api::DescribeBackupOutput{describe(backup.entry, status, input.backup_arn)};
}

}  // namespace dinette::dynamodb::ops
