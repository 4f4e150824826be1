#pragma once

#include <cstdint>
#include <string>

#include "dinette/kv/error.h"
#include "dinette/store/entry.h"
#include "dinette/store/scan.h"
#include "dinette/store/store.h"
#include "dinette/store/write.h"

#include "kinesis/api/shard_record.h"
#include "kinesis/streams/sequence_number.h"

namespace dinette::kinesis {

/// Returns the position of the last record that a shard ever had, or {}: also when it was removed because of
/// its age.
kv::Result<store::StreamPosition> last_position(const store::View& view, const api::ShardRecord& shard);

/// Returns where a shard ends that gets no more records: later than its beginning and all its records.
kv::Result<StreamPlace> end_of(const store::View& view, const api::ShardRecord& shard);

/// Removes the records of a shard before a position, and remembers how far. `erased`: how many these are.
kv::Result<void> trim_records(store::Store& store, store::StreamId shard, store::StreamPosition last,
                              const store::Count& erased);

/// Removes all records of a shard that no longer exists.
kv::Result<void> remove_records(store::Store& store, store::StreamId shard);

/// Removes an entry that belongs to no stream.
kv::Result<void> erase_entry(store::Store& store, store::SpaceId space, const std::string& key);
kv::Result<void> put_entry(store::Store& store, store::SpaceId space, const std::string& key,
                           kv::Value value);

}  // namespace dinette::kinesis
