#pragma once

#include "dinette/base/jobs.h"
#include "dinette/store/store.h"

#include "dynamodb/api/backup_entry.h"

namespace dinette::dynamodb {

/// Has a backup that expires deleted, by a job, when its time is over. Nothing for other backups.
void expire_backup_later(store::Store& store, base::Jobs& jobs, const api::BackupEntry& backup);

}  // namespace dinette::dynamodb
