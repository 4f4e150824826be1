#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tablestore/api/messages.h"
#include "tablestore/rows/row_write.h"
#include "tablestore/transactions/open_transaction.h"

namespace dinette::tablestore {

/// The writes of one table in a BatchWriteRow.
struct TableWrites {
  std::string_view table;
  std::vector<RowWrite> writes;
};

using RowResponses = std::vector<api::RowInBatchWriteRowResponse>;

/// Carries out the writes of all tables in one commit: each fails or succeeds by itself (tablestore/batch.md
/// section 2).
Answer<std::vector<RowResponses>> write_each(const Context& context, std::span<const TableWrites> batch);

/// The same for one table in a transaction.
Answer<RowResponses> write_in(const Context& context, const TableWrites& writes,
                              LocalTransaction& transaction);

/// Carries them all out, or none (tablestore/batch.md section 3).
Answer<RowResponses> write_together(const Context& context, const TableWrites& writes);

}  // namespace dinette::tablestore
