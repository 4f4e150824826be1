#pragma once

#include <chrono>

#include "dinette/base/jobs.h"
#include "dinette/store/catalog.h"
#include "dinette/store/store.h"

namespace dinette::dynamodb {

/// Has former values of rows removed that point-in-time recovery does not need any more, by a job. Nothing
/// for tables without it. `longest`: see period_of().
void trim_versions_later(store::Store& store, base::Jobs& jobs, const store::Table& table,
                         std::chrono::milliseconds longest);

}  // namespace dinette::dynamodb
