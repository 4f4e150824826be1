#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "dinette/store/store.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/stream_entry.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/streams/stream_entry.h"

/// How the stream of a table begins, goes over to other shards, and ends. Each function changes the table's
/// record, which tells writes where to append, and the stream's entry, which tells readers what there is;
/// both are to be committed together, by the catalog, so that no write is between them.
namespace dinette::dynamodb {

/// Returns how many shards the stream of a new table has (docs/service/streams.md section 3).
std::size_t first_shards(const api::TableRecord& record);

/// Returns ids for the records of shards. Those that are not used are lost, which does no harm.
kv::Result<std::vector<store::StreamId>> new_shards(store::Store& store, std::size_t count);

/// When a stream is enabled or disabled, and when that is complete.
struct StreamChange {
  codec::Timestamp moment;
  codec::Timestamp complete;
};

/// Enables a stream with one shard per element of `shards`. `view` tells which labels are in use.
kv::Result<api::StreamEntry> enable_stream(const store::View& view, api::TableRecord& record,
                                           api::StreamViewType view_type, StreamChange change,
                                           std::span<const store::StreamId> shards);

/// Disables the stream of a table whose writes are locked out; it has one. `view` sees the present.
kv::Result<api::StreamEntry> disable_stream(const store::View& view, api::TableRecord& record,
                                            StreamChange change);

/// Ends the recording for a table that is deleted: as disable_stream, but the table's description stays.
kv::Result<api::StreamEntry> end_stream(const store::View& view, api::TableRecord& record,
                                        StreamChange change);

/// A shard that is to be closed, and the ids of the one or two shards that follow it.
struct ShardSuccession {
  store::StreamId closed;
  std::vector<store::StreamId> children;
};

/// Closes open shards of `stream` in favour of their children, of which two share the partitions of their
/// parent. The same conditions as for disable_stream.
kv::Result<void> replace_shards(const store::View& view, api::TableRecord& record, api::StreamEntry& stream,
                                codec::Timestamp moment, std::span<const ShardSuccession> successions);

}  // namespace dinette::dynamodb
