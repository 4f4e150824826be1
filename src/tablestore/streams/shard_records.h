#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tablestore/api/messages.h"
#include "tablestore/request/context.h"
#include "tablestore/streams/shard_iterator.h"
#include "tablestore/tables/open_table.h"

/// Reading of streams (tablestore/streams.md section 2). Records that have expired are read no more, even if
/// they are still there.
namespace dinette::tablestore {

struct RecordPage {
  std::vector<api::StreamRecord> records = {};
  ShardIterator next = {};
  bool more = false;      ///< there are more records now
  bool ended = false;     ///< all records before the end that was given have been read, and none will follow
  std::size_t bytes = 0;  ///< of the records
};

/// Reads records from an iterator on, at most `limit`, and about 1 MB; with an `end`, those before that time.
/// The table has a stream.
Answer<RecordPage> read_records(const Context& context, const OpenTable& table, const ShardIterator& iterator,
                                std::size_t limit, std::optional<base::TimePoint> end = std::nullopt);

/// Returns the time before which records of a stream have expired.
base::TimePoint oldest_record_time(const Context& context, const StreamMeta& stream);

/// Returns an iterator at the beginning of the shard of a table.
ShardIterator first_iterator(const Context& context, const OpenTable& table);

/// Returns an iterator after all records that there are.
Answer<ShardIterator> end_iterator(const Context& context, const OpenTable& table);

/// Returns an iterator at the first record that is not older than `time`; if there is none, after all.
Answer<ShardIterator> iterator_at(const Context& context, const OpenTable& table, base::TimePoint time);

}  // namespace dinette::tablestore
