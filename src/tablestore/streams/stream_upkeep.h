#pragma once

#include "dinette/base/jobs.h"
#include "dinette/store/catalog.h"
#include "dinette/store/store.h"

namespace dinette::tablestore {

/// Has a job remove from the stream of a table, from now on, the records that have expired. Nothing for a
/// table without a stream. To be called again when the table gets another one.
void remove_expired_records_later(store::Store& store, base::Jobs& jobs, const store::Table& table);

}  // namespace dinette::tablestore
