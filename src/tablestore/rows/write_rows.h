#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tablestore/rows/read_target.h"
#include "tablestore/rows/row_table.h"
#include "tablestore/rows/row_write.h"
#include "tablestore/streams/stream_record.h"

namespace dinette::tablestore {

/// What became of a row.
struct WrittenRow {
  PrimaryKey key;     ///< with the number that the service chose
  Cells incremented;  ///< the new cells, by name
};

/// Carries out writes of rows of one table, all or none, in their order. Each must be one that check_fits()
/// has accepted; a row may be there several times. Returns nothing if the table has been altered since it was
/// opened, else one result per write, whose texts are those of the write.
Answer<std::optional<std::vector<WrittenRow>>> write_rows(const Context& context, const OpenTable& table,
                                                          std::span<const RowWrite> writes);

/// A write, and the table that it is in.
struct WriteInTable {
  const OpenTable& table;
  const RowWrite& write;
};

/// Carries out writes of rows of several tables in one commit. Likewise, but a write that fails, by its
/// condition for instance, leaves the others, and has its error as its result.
Answer<std::optional<std::vector<Answer<WrittenRow>>>> write_rows_alone(const Context& context,
                                                                        std::span<const WriteInTable> writes);

/// Puts and deletes the rows of a transaction, all or none, with what the stream of the table has of them.
/// Returns false if the table has been altered since it was opened.
Answer<bool> write_pending(const Context& context, const OpenTable& table, const PendingRows& rows,
                           std::span<const RowRecord> records);

}  // namespace dinette::tablestore
