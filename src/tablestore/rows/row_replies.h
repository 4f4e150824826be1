#pragma once

#include <optional>
#include <string>

#include "tablestore/api/messages.h"
#include "tablestore/rows/row_write.h"
#include "tablestore/rows/write_rows.h"

/// The parts of replies about single rows.
namespace dinette::tablestore {

/// What a write of a row is answered with.
struct RowReply {
  api::ConsumedCapacity consumed;
  std::optional<std::string> row = {};
};

/// Returns the capacity units of a write that was carried out (tablestore/names-limits.md section 5), and
/// what it returns of the row.
RowReply reply_to(const RowWrite& write, const WrittenRow& written, const TableOptions& options);

/// Returns the units that a read has consumed.
api::ConsumedCapacity read_units(std::size_t bytes);

}  // namespace dinette::tablestore
