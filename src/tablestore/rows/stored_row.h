#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "dinette/kv/error.h"
#include "dinette/store/write.h"

#include "tablestore/model/row.h"
#include "tablestore/rows/stored_cells.h"

namespace dinette::tablestore {

/// How much of a row a write has read.
enum class RowReading {
  value,    ///< what is at the row's key: all of a packed row
  columns,  ///< of a wide row also some columns, whole
  all,
};

/// A row as a write finds it. The cells are views of what the store has read, and of this.
class StoredRow {
 public:
  StoredRow() = default;
  StoredRow(const StoredRow&) = delete;
  StoredRow& operator=(const StoredRow&) = delete;

  /// Takes a row apart. `value`: at its key, null for none; `keys`: those of its cells that were read, with
  /// or without the row's own.
  kv::Result<void> read(std::string_view row_key, const kv::Value* value,
                        std::span<const store::KeyAndValue> keys, RowReading reading);

  bool present() const { return present_; }
  /// Returns what the row's own key says of a wide row.
  const std::optional<WideRow>& wide() const { return wide_; }
  /// Returns true if cells() are all cells of the row.
  bool complete() const { return !wide_ || reading_ == RowReading::all; }
  /// The cells by name, also those that cannot be seen: all, or those of the columns that were read.
  const Cells& cells() const { return cells_; }
  /// Returns the bytes that the table's counters have of the row.
  std::int64_t bytes() const;

 private:
  bool present_ = false;
  RowReading reading_ = RowReading::value;
  std::optional<WideRow> wide_;
  Cells cells_;
  WideCells wide_cells_;
};

}  // namespace dinette::tablestore
