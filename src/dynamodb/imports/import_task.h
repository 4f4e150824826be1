#pragma once

#include <string>

#include "dinette/base/jobs.h"
#include "dinette/objects/object_store.h"
#include "dinette/store/store.h"

namespace dinette::dynamodb {

/// Adds a job that executes an import: it creates the table, reads the objects one after the other, puts
/// their items, and says how it has ended. Items are put in batches, each by one commit together with how far
/// the import has come, so one that was interrupted continues where it was. `key` is that of its entry;
/// `objects` may be null, which has no buckets.
void import_items(store::Store& store, base::Jobs& jobs, objects::ObjectStore* objects, std::string key);

/// Does so for all imports that have not ended, by a job: for a server that starts.
void resume_imports(store::Store& store, base::Jobs& jobs, objects::ObjectStore* objects);

}  // namespace dinette::dynamodb
