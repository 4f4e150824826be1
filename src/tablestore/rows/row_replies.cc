#include "tablestore/rows/row_replies.h"

#include <algorithm>

#include "tablestore/plainbuffer/row_writer.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/rows/row_selection.h"

namespace dinette::tablestore {
namespace {

std::size_t written_bytes(const RowWrite& write, const PrimaryKey& key, const TableOptions& options) {
  const std::size_t per_cell = options.max_versions > 1 || options.expires() ? sizeof(CellVersion) : 0;
  std::size_t bytes = size_of(key);
  for (const CellChange& cell : write.row.cells) {
    bytes += cell.name.size();
    if (cell.value) bytes += size_of(*cell.value) + per_cell;
  }
  return bytes;
}

api::ConsumedCapacity units_of(const RowWrite& write, const PrimaryKey& key, const TableOptions& options) {
  api::ConsumedCapacity consumed;
  const bool reads = write.expectation != api::RowExistenceExpectation::ignore;
  consumed.capacity_unit.read = reads ? capacity_units(size_of(key)) : 0;
  consumed.capacity_unit.write = capacity_units(written_bytes(write, key, options));
  return consumed;
}

/// Returns what the request wants to have of the row; nothing if that is none of it.
std::optional<Row> returned_row(const RowWrite& write, const WrittenRow& written) {
  if (write.returns == api::ReturnType::rt_pk) return Row{written.key, {}};
  if (write.returns != api::ReturnType::rt_after_modify || written.incremented.empty()) return std::nullopt;
  Row row{written.key, written.incremented};
  const auto& names = write.returned_columns;
  if (!names.empty())
    std::erase_if(row.cells,
                  [&](const Cell& cell) { return std::ranges::find(names, cell.name) == names.end(); });
  return row;
}

}  // namespace

RowReply reply_to(const RowWrite& write, const WrittenRow& written, const TableOptions& options) {
  RowReply reply{.consumed = units_of(write, written.key, options)};
  if (const auto row = returned_row(write, written)) plainbuffer::RowWriter(reply.row.emplace()).add(*row);
  return reply;
}

api::ConsumedCapacity read_units(std::size_t bytes) {
  api::ConsumedCapacity consumed;
  consumed.capacity_unit.read = capacity_units(bytes);
  consumed.capacity_unit.write = 0;
  return consumed;
}

}  // namespace dinette::tablestore
