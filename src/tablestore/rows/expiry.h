#pragma once

#include "dinette/base/jobs.h"
#include "dinette/store/catalog.h"
#include "dinette/store/store.h"

namespace dinette::tablestore {

/// Has a job remove from a table, from now on, the cells that have expired, and the rows of which every cell
/// has, with what indexes have of them (tablestore/names-limits.md section 4). Readers see none of them
/// before either, so that it takes its time. To be called again when the time to live of the table has
/// changed. Nothing for a table whose cells do not expire.
void remove_expired_later(store::Store& store, base::Jobs& jobs, const store::Table& table);

}  // namespace dinette::tablestore
