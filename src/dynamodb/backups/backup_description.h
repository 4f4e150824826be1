#pragma once

#include <string>

#include "dynamodb/api/backup_description.h"
#include "dynamodb/api/backup_details.h"
#include "dynamodb/api/backup_entry.h"
#include "dynamodb/api/backup_summary.h"
#include "dynamodb/api/enums.h"
#include "dynamodb/backups/backup_arn.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/request/context.h"

/// How backups are found and shown (docs/service/backups-pitr.md section 1).
namespace dinette::dynamodb {

/// A backup, and the table without a name that has its items.
struct OpenBackup {
  api::BackupEntry entry;
  store::TablePointer rows;
};

/// Returns the backup, or `Backup not found: <ARN>`.
Answer<OpenBackup> open_backup(const Context& context, const BackupArn& arn);
base::Failure<ApiError> backup_not_found(std::string_view arn);

/// Returns AVAILABLE if all items are there and the backup is not CREATING for as long as states last.
Answer<api::BackupStatus> status_of(const Context& context, const api::BackupEntry& backup);

/// `arn` is the one in the request.
api::BackupDetails describe_details(const api::BackupEntry& backup, api::BackupStatus status,
                                    std::string arn);
api::BackupDescription describe(const api::BackupEntry& backup, api::BackupStatus status, std::string arn);
api::BackupSummary summarize(const api::BackupEntry& backup, api::BackupStatus status);

}  // namespace dinette::dynamodb
