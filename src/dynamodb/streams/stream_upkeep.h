#pragma once

#include <string>

#include "dinette/base/jobs.h"
#include "dinette/store/store.h"

#include "dynamodb/api/stream_entry.h"

/// What becomes of streams as time goes by (docs/service/streams.md sections 1, 3 and 5): their shards are
/// replaced by others after four hours, records are removed after 24 hours, and so are disabled streams.
namespace dinette::dynamodb {

/// Has a job look after a stream from now on.
void keep_stream(store::Store& store, base::Jobs& jobs, const api::StreamEntry& stream);

/// The same for all streams of the store: for one that was opened again, or forked.
void keep_streams(store::Store& store, base::Jobs& jobs);

/// Has two shards follow each open shard of a stream, up to the most that a stream may have. Returns false if
/// the table has no enabled stream.
kv::Result<bool> split_shards(store::Store& store, const store::Table& table);

}  // namespace dinette::dynamodb
