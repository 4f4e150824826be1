#pragma once

#include "dinette/base/jobs.h"
#include "dinette/store/catalog.h"
#include "dinette/store/store.h"

namespace dinette::dynamodb {

/// Has a table filled with the items of another one as they were, by a job (TableRecord::filling). It can be
/// read when they are all there. A job that was interrupted continues where it was.
void fill_table(store::Store& store, base::Jobs& jobs, const store::Table& table);

}  // namespace dinette::dynamodb
