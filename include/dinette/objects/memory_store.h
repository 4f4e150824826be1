#pragma once

#include <memory>

#include "dinette/base/clock.h"
#include "dinette/objects/object_store.h"

namespace dinette::objects {

/// Returns a store that keeps objects in memory. `clock`, for the times of changes, must outlive it.
std::unique_ptr<BucketStore> make_memory_store(const base::Clock& clock);

/// Returns `store`; if it is null, a store without buckets, which lives as long as the process.
ObjectStore& or_no_buckets(ObjectStore* store);

}  // namespace dinette::objects
