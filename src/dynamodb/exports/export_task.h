#pragma once

#include "dinette/base/jobs.h"
#include "dinette/objects/object_store.h"
#include "dinette/store/store.h"

#include "dynamodb/api/export_entry.h"

namespace dinette::dynamodb {

/// Has an export that is IN_PROGRESS written, by a job. One that was broken off begins again: it replaces the
/// objects that it has written. `objects`: null means that every bucket is missing.
void run_export(store::Store& store, base::Jobs& jobs, objects::ObjectStore* objects,
                const api::ExportEntry& entry);

/// Goes on with all exports that were left undone when the server was stopped, by a job.
void resume_exports(store::Store& store, base::Jobs& jobs, objects::ObjectStore* objects);

}  // namespace dinette::dynamodb
