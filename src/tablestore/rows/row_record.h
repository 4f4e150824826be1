#pragma once

#include "tablestore/rows/row_write.h"
#include "tablestore/streams/stream_record.h"

namespace dinette::tablestore {

/// Returns what the stream of a table has of a write that was carried out (tablestore/streams.md section 3).
/// `key`: with the number that the service has chosen; `before`: the newest cells that could be seen, at
/// least those of the columns that the stream has the former values of.
RowRecord record_of(const RowWrite& write, const PrimaryKey& key, const Cells& incremented,
                    const VisibleRow& before, const StreamMeta& stream, CellVersion now);

}  // namespace dinette::tablestore
