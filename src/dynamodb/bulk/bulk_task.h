#pragma once

#include <chrono>
#include <string>

#include "dinette/base/jobs.h"
#include "dinette/objects/object_store.h"
#include "dinette/store/store.h"

namespace dinette::dynamodb {

/// What bulk operations work with. All that is referred to must outlive the jobs.
struct BulkWorld {
  store::Store& store;
  base::Jobs& jobs;
  objects::ObjectStore* objects;  ///< null: there are no buckets
  std::chrono::milliseconds time_to_live_delay;
};

/// Adds a job that executes a bulk operation: it reads the objects one after the other, puts their items, in
/// order and under their conditions, and says how it has ended. Items are put in batches, each by one commit
/// together with how far the operation has come, so one that was interrupted continues where it was. `key` is
/// that of its entry.
void run_bulk(const BulkWorld& world, std::string key);

/// Does so for all operations that have not ended, by a job: for a server that starts.
void resume_bulk(const BulkWorld& world);

}  // namespace dinette::dynamodb
