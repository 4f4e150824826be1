#pragma once

#include "dinette/base/jobs.h"
#include "dinette/store/store.h"

namespace dinette::dynamodb {

/// Goes on with what backups and restores of a table left undone when the server was stopped.
void resume_copying(store::Store& store, base::Jobs& jobs, const store::Table& table);

/// The same for all backups, and for what is left of deleted tables, by a job.
void resume_backups(store::Store& store, base::Jobs& jobs);

}  // namespace dinette::dynamodb
