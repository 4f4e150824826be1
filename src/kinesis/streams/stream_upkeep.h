#pragma once

#include "dinette/base/jobs.h"
#include "dinette/store/catalog.h"
#include "dinette/store/store.h"
#include "dinette/tenancy/world.h"

/// What becomes of streams as time goes by: records older than the retention period are removed, and so are
/// shards that have been closed for as long; deleted streams go, and then their records.
namespace dinette::kinesis {

/// Has a job look after a stream from now on; or again, if its retention period has changed.
void keep_stream(store::Store& store, base::Jobs& jobs, const store::Table& stream);

/// Has a stream that is DELETING removed, by a job, when its time is over. Nothing for other streams.
void finish_deletion_later(store::Store& store, base::Jobs& jobs, const store::Table& stream);

/// Removes a stream now. Its records follow, by a job.
kv::Result<void> remove_stream(store::Store& store, base::Jobs& jobs, const store::Table& stream);

/// Does all of this for all streams of a world that was opened again, or forked.
void resume(tenancy::World& world);

}  // namespace dinette::kinesis
