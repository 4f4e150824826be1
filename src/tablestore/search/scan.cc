#include "tablestore/search/scan.h"

#include <utility>

#include "tablestore/rows/row_key.h"
#include "tablestore/rows/row_scan.h"

namespace dinette::tablestore::search {

Answer<void> scan(const Context& context, const store::View& view, const SearchTarget& target,
                  const Condition& condition, std::string_view after, TakeFound take) {
  store::KeyRange range;
  if (!after.empty()) range.begin = end_of_row(after);
  const RowSelection all;
  DINETTE_TABLESTORE_STORED(RowScan rows, RowScan::open(view, target.rows, range, store::Direction::forward,
                                                        all, context.now, nullptr));
  for (;;) {
    DINETTE_TABLESTORE_STORED(const bool more, rows.next());
    if (!more) return {};
    Document document = document_of(target.schema, rows.key(), rows.cells());
    if (condition(document) && !take(std::move(document))) return {};
  }
}

Answer<Document> document_at(const Context& context, const store::View& view, const SearchTarget& target,
                             std::string_view row_key) {
  const RowSelection all;
  Cells cells;
  HeldCells held;
  DecodedKey key;
  if (!key.read(row_key, target.rows.key)) return storage_failure(corrupt_row());
  DINETTE_TABLESTORE_STORED([[maybe_unused]] const bool found,
                            read_cells(view, context.now, target.rows, row_key, all, cells, held));
  select(all, key.key(), target.rows.options(), cells);
  return document_of(target.schema, key.key(), cells);
}

}  // namespace dinette::tablestore::search
