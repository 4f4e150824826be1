#include "tablestore/rows/wide_cells.h"

#include <string>
#include <utility>

#include "dinette/base/bytes.h"

namespace dinette::tablestore {
namespace {

using store::Direction;

/// Reads the cells of one row in their order.
class WideReader {
 public:
  WideReader(store::RowCursor cursor, std::string_view row_key, const Visibility& visibility, WideCells& held)
      : cursor_(std::move(cursor)), row_key_(row_key), visibility_(visibility), held_(held) {}

  /// Reads the columns that are named.
  kv::Result<void> read_columns(const RowSelection& selection) {
    for (const std::string_view column : selection.columns) {
      if (!selection.has_column(column)) continue;
      const std::string prefix = column_prefix(row_key_, column);
      DINETTE_TRY(bool more, cursor_.seek(prefix));
      while (more && cursor_.key().starts_with(prefix) && take_cell()) {
        DINETTE_CHECK(add());
        DINETTE_TRY(more, cursor_.next());
      }
      new_column();
    }
    return {};
  }

  /// Reads all columns, or, if the selection does not need the rest, those from one on.
  kv::Result<void> read_all(const RowSelection& selection, bool from_start) {
    const bool later = from_start && selection.start_column;
    DINETTE_TRY(bool more,
                later ? cursor_.seek(column_prefix(row_key_, *selection.start_column)) : cursor_.next());
    while (more) {
      DINETTE_CHECK(add());
      const Cell& cell = held_.cells().back();
      if (from_start && selection.end_column && cell.name >= *selection.end_column) return {};
      if (cell.name != column_) {
        column_ = cell.name;
        new_column();
      }
      if (take_cell()) {
        DINETTE_TRY(more, cursor_.next());
      } else {
        DINETTE_TRY(more, cursor_.seek(base::prefix_end(column_prefix(row_key_, cell.name))));
      }
    }
    return {};
  }

 private:
  /// Counts a cell of the current column. Returns false if it has more than can be seen.
  bool take_cell() { return versions_++ < visibility_.max_versions; }
  void new_column() { versions_ = 0; }
  kv::Result<void> add() { return held_.add(cursor_.key().substr(row_key_.size()), cursor_.shared_value()); }

  store::RowCursor cursor_;
  const std::string_view row_key_;
  const Visibility& visibility_;
  WideCells& held_;
  std::string_view column_;
  std::int32_t versions_ = 0;
};

}  // namespace

kv::Result<bool> read_wide(const store::View& view, const store::Table& table, std::string_view row_key,
                           const RowSelection& selection, const Visibility& visibility, WideCells& held,
                           Cells& cells) {
  const auto range = store::KeyRange::of_prefix(cells_prefix(row_key));
  DINETTE_TRY(store::RowCursor cursor, view.scan(table, store::Area::rows(), range, Direction::forward));
  WideReader reader(std::move(cursor), row_key, visibility, held);
  // Where cells expire, the row exists if any of them has not.
  const bool expires = visibility.oldest != Visibility().oldest;
  if (!expires && !selection.columns.empty())
    DINETTE_CHECK(reader.read_columns(selection));
  else
    DINETTE_CHECK(reader.read_all(selection, !expires));
  cells = held.take_cells();
  return keep_visible(cells, visibility);
}

}  // namespace dinette::tablestore
