#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "dinette/store/scan.h"

#include "tablestore/rows/read_target.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/rows/stored_cells.h"
#include "tablestore/rows/visibility.h"

namespace dinette::tablestore {

/// Walks the rows of a table or an index that can be seen, in a range of keys, with those that a transaction
/// has written in their place. What it was made of must outlive it.
class RowScan {
 public:
  /// `pending` may be null.
  static kv::Result<RowScan> open(const store::View& view, const ReadTarget& target,
                                  const store::KeyRange& range, store::Direction direction,
                                  const RowSelection& selection, base::TimePoint now,
                                  const PendingRows* pending);

  /// Moves to the first row, then from row to row. Returns false at the end.
  kv::Result<bool> next();

  /// The row, until the next move: its key, and those of its cells that can be seen and that the selection
  /// needs.
  const PrimaryKey& key() const { return key_->key(); }
  Cells& cells() { return cells_; }

 private:
  RowScan(const store::View& view, const ReadTarget& target, const store::KeyRange& range,
          store::Direction direction, const RowSelection& selection, base::TimePoint now,
          const PendingRows* pending, store::RowCursor cursor);

  /// Finds the next stored row: its key and value.
  kv::Result<void> find_stored();
  void begin_pending();
  void find_pending();
  /// Returns true if the pending row comes first, or takes the place of the stored one.
  bool pending_first() const;
  kv::Result<bool> load_stored();
  kv::Result<bool> load_pending();

  const store::View* view_;
  const ReadTarget* target_;
  store::KeyRange range_;
  store::Direction direction_;
  const RowSelection* selection_;
  Visibility visibility_;
  const PendingRows* pending_;
  store::RowCursor cursor_;
  bool started_ = false;
  bool has_more_ = false;  ///< the cursor is on an entry
  bool on_next_ = false;   ///< the cursor is already on the entry after the stored row
  bool has_stored_ = false;
  bool stored_end_ = false;
  bool key_is_stored_ = false;  ///< key_ is that of the stored row
  std::string stored_key_;
  kv::Value stored_value_;
  PendingRows::const_iterator next_pending_;
  bool has_pending_ = false;
  std::unique_ptr<DecodedKey> key_ = std::make_unique<DecodedKey>();
  kv::Value packed_;
  std::unique_ptr<WideCells> wide_;
  Cells cells_;
};

}  // namespace dinette::tablestore
