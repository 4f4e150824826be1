#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "dinette/base/jobs.h"
#include "dinette/store/store.h"

#include "dynamodb/api/stream_entry.h"

/// What becomes of streams as time goes by (docs/service/streams.md sections 1, 3 and 5): their shards are
/// replaced by others after four hours, records are removed after 24 hours, and so are disabled streams.
/// `retention` may be less than these 24 hours.
namespace dinette::dynamodb {

/// The bytes of records that the streams of deleted tables have together, at most: clients that create tables
/// and delete them again, such as tests, would fill the memory otherwise. The service has no such limit.
inline constexpr std::int64_t most_ended_bytes = 4 << 20;

/// Has a job look after a stream from now on.
void keep_stream(store::Store& store, base::Jobs& jobs, const api::StreamEntry& stream,
                 std::chrono::milliseconds retention);

/// The same for all streams of the store: for one that was opened again, or forked.
void keep_streams(store::Store& store, base::Jobs& jobs, std::chrono::milliseconds retention);

/// Returns the note of a stream that ends with its table, which is written with its end.
kv::Result<store::EntryWrite> note_of_ended(const store::View& view, const api::StreamEntry& stream);

/// Has the oldest streams of deleted tables removed, by a job, while they have more than most_ended_bytes.
void limit_ended_streams(store::Store& store, base::Jobs& jobs);

/// Has two shards follow each open shard of a stream, up to the most that a stream may have. Returns false if
/// the table has no enabled stream.
kv::Result<bool> split_shards(store::Store& store, const store::Table& table);

}  // namespace dinette::dynamodb
