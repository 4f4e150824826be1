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

/// Has the entries of exports removed, by a job, when they are not shown any more; the next one at `due`.
void forget_exports_later(store::Store& store, base::Jobs& jobs, base::TimePoint due);

}  // namespace dinette::dynamodb
