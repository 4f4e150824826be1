#include "tablestore/rows/row_record.h"

#include <algorithm>

#include "tablestore/filters/filter.h"
#include "tablestore/plainbuffer/row_writer.h"

namespace dinette::tablestore {
namespace {

api::ActionType action_of(api::OperationType kind) {
  if (kind == api::OperationType::put) return api::ActionType::put_row;
  return kind == api::OperationType::update ? api::ActionType::update_row : api::ActionType::delete_row;
}

/// Returns a change with what the write has made of it: what is put has a version, and an increment is the
/// value that it has led to.
CellChange recorded(const CellChange& change, const Cells& incremented, CellVersion now) {
  CellChange cell = change;
  if (!change.operation) cell.version = change.version.value_or(now);
  if (change.operation != CellOperation::increment) return cell;
  const auto sum = std::ranges::find(incremented, change.name, &Cell::name);
  return {.name = change.name, .value = sum->value, .version = sum->version};
}

}  // namespace

RowRecord record_of(const RowWrite& write, const PrimaryKey& key, const Cells& incremented,
                    const VisibleRow& before, const StreamMeta& stream, CellVersion now) {
  RowRecord record{.action = action_of(write.kind), .index = write.place};
  RowMessage row{.key = key, .cells = {}};
  for (const CellChange& change : write.row.cells) row.cells.push_back(recorded(change, incremented, now));
  plainbuffer::RowWriter(record.row).add(row);
  if (stream.origin_columns.empty() || !before.exists) return record;
  Row origin{.key = key, .cells = {}};
  for (const std::string& column : stream.origin_columns) {
    const auto versions = cells_of(before.cells, column);
    if (!versions.empty()) origin.cells.push_back(versions.front());
  }
  std::ranges::sort(origin.cells, {}, &Cell::name);
  plainbuffer::RowWriter(record.origin).add(origin);
  return record;
}

}  // namespace dinette::tablestore
