#include "tablestore/rows/row_page.h"

#include <algorithm>

#include "tablestore/api/limits.h"
#include "tablestore/plainbuffer/row_writer.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/rows/row_scan.h"

namespace dinette::tablestore {
namespace {

void write(plainbuffer::RowWriter& out, const PrimaryKey& key, const Cells& cells) {
  out.begin(key);
  for (const Cell& cell : cells) out.cell(cell.name, cell.value, cell.version);
  out.end();
}

}  // namespace

Answer<RowPage> read_page(const Context& context, const ReadTarget& target, const store::KeyRange& range,
                          store::Direction direction, const RowSelection& selection, std::size_t most,
                          const PendingRows* pending) {
  RowPage page;
  if (range.empty()) return page;
  DINETTE_TABLESTORE_STORED(const store::View view, context.store.view());
  DINETTE_TABLESTORE_STORED(RowScan rows,
                            RowScan::open(view, target, range, direction, selection, context.now, pending));
  store::ScanBudget budget(
      {.rows_looked_at = std::min(most, limits::page_rows), .bytes_looked_at = limits::page_bytes});
  plainbuffer::RowWriter out(page.rows);
  for (;;) {
    DINETTE_TABLESTORE_STORED(const bool more, rows.next());
    if (!more) break;
    const SelectedRow selected = select(selection, rows.key(), target.options(), rows.cells());
    if (budget.would_pass(selected.bytes)) {
      page.next = plainbuffer::encode_key(rows.key());
      break;
    }
    budget.look_at(selected.bytes);
    if (selected.returned) write(out, rows.key(), rows.cells());
  }
  page.bytes = budget.so_far().bytes_looked_at;
  return page;
}

Answer<std::string> read_row(const Context& context, const ReadTarget& target, const PrimaryKey& key,
                             const RowSelection& selection, const PendingRows* pending, std::size_t& bytes) {
  Cells cells;
  HeldCells held;
  DINETTE_TABLESTORE_STORED(const bool exists,
                            read_cells(context, target, encode_key(key), selection, pending, cells, held));
  std::string row;
  if (!exists) return row;
  const SelectedRow selected = select(selection, key, target.options(), cells);
  bytes += selected.bytes;
  if (!selected.returned) return row;
  row.reserve(selected.bytes + plainbuffer::most_overhead * (1 + key.size() + cells.size()));
  plainbuffer::RowWriter out(row);
  write(out, key, cells);
  return row;
}

}  // namespace dinette::tablestore
