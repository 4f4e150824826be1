#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/store/scan.h"

#include "tablestore/request/context.h"
#include "tablestore/rows/row_selection.h"
#include "tablestore/rows/row_table.h"
#include "tablestore/rows/stored_cells.h"
#include "tablestore/tables/table_schema.h"

namespace dinette::tablestore {

/// A table or an index that rows are read from.
struct ReadTarget {
  store::TablePointer table;
  store::Area area = store::Area::rows();
  std::vector<KeyColumnMeta> key;  ///< of the table, or the completed one of the index

  const TableMeta& meta() const { return table->schema_as<TableSchema>().meta(); }
  const TableOptions& options() const { return meta().options; }
  bool is_index() const { return area.space == store::Space::index; }
};

/// Opens a table or an index by its name.
Answer<ReadTarget> open_to_read(const Context& context, std::string_view name,
                                MissingTable missing = MissingTable::fails_request);

/// Checks that a key that was sent has no more columns than keys of tables have. Those of indexes may have
/// more.
Answer<void> check_key_size(const PrimaryKey& sent, const ReadTarget& target);

/// Checks a key that was sent for a read, or a bound. `sent` has been checked by check_key().
Answer<void> check_key_fits(const PrimaryKey& sent, const ReadTarget& target);

/// Rows that a transaction has written and not committed: packed, or null for one that it has deleted. By
/// the store's keys.
using PendingRows = std::map<std::string, kv::Value, std::less<>>;

/// Reads the cells of one row that a selection needs, and that can be seen. Returns false if there is no such
/// row. `pending`: null, or what takes the place of stored rows. The texts are views of what `held` holds on
/// to.
struct HeldCells {
  kv::Value packed;
  WideCells wide;
};
kv::Result<bool> read_cells(const store::View& view, base::TimePoint now, const ReadTarget& target,
                            std::string_view row_key, const RowSelection& selection, Cells& cells,
                            HeldCells& held);
/// The same of the latest commit.
kv::Result<bool> read_cells(const Context& context, const ReadTarget& target, std::string_view row_key,
                            const RowSelection& selection, const PendingRows* pending, Cells& cells,
                            HeldCells& held);

}  // namespace dinette::tablestore
