#pragma once

#include <chrono>

#include "dinette/base/jobs.h"
#include "dinette/store/catalog.h"
#include "dinette/store/store.h"

namespace dinette::dynamodb {

/// Has a table that is DELETING removed, by a job, when its time is over. Nothing for other tables.
/// `longest`: how far back tables can be restored at most.
void finish_deletion_later(store::Store& store, base::Jobs& jobs, const store::Table& table,
                           std::chrono::milliseconds longest);

/// Removes a table that is DELETING, before its time is over, too. Nothing for other tables.
kv::Result<void> end_deletion(store::Store& store, base::Jobs& jobs, const store::Table& table,
                              std::chrono::milliseconds longest);

}  // namespace dinette::dynamodb
