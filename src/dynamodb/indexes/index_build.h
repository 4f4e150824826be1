#pragma once

#include "dinette/base/jobs.h"
#include "dinette/store/catalog.h"
#include "dinette/store/store.h"

namespace dinette::dynamodb {

/// Has the rows that are older than a new index entered into it, by a job. Writes keep the index from the
/// moment of its creation on and do not wait; it can be read when all rows have been seen. A build that was
/// broken off begins again.
void build_index(store::Store& store, base::Jobs& jobs, const store::Table& table, store::IndexId index);

}  // namespace dinette::dynamodb
