#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/kv/error.h"
#include "dinette/kv/value.h"

#include "tablestore/model/row.h"
#include "tablestore/rows/visibility.h"

/// How rows are stored (FORMAT.md). The value at the key of a row has all its cells while these are small: so
/// a row is read by one look-up. Beyond that it only describes the row, and each cell has a key of its own,
/// so that a write of a few cells of a large row costs what these cost.
namespace dinette::tablestore {

/// Cells of more bytes than these have keys of their own.
inline constexpr std::size_t most_packed_bytes = 16 * 1024;

/// The newest version of cells of which some were removed that were not compared with the others.
inline constexpr CellVersion unknown_version = std::numeric_limits<CellVersion>::max();

/// What the row's own key says of a row whose cells have keys of their own.
struct WideRow {
  std::uint64_t cells = 0;  ///< stored, also those that cannot be seen
  std::uint64_t trimmed =
      0;  ///< of these, how many there were when those that cannot be seen were removed last
  std::uint64_t bytes = 0;               ///< of the stored cells, as packed_size() counts them
  CellVersion newest = unknown_version;  ///< of all stored cells

  /// Returns true if it is known that a cell has not expired.
  bool lasts(const Visibility& visibility) const {
    return newest != unknown_version && !visibility.expired(newest);
  }

  friend bool operator==(const WideRow&, const WideRow&) = default;
};

/// Returns the bytes of a packed row.
std::size_t packed_size(const Cells& cells);

/// Packs the cells of a row into one value.
kv::Value pack(const Cells& cells);
/// Packs what an index has of a row. The entry cannot be seen once `lasts_with` has expired.
kv::Value pack_entry(CellVersion lasts_with, const Cells& cells);
kv::Value pack(const WideRow& row);

/// Returns what a value says of a wide row; nothing if it has the cells itself.
std::optional<WideRow> wide_row(std::string_view value);

/// Unpacks the cells of a row, whose names and texts are views of `value`. Fails if they are corrupt.
kv::Result<void> unpack(std::string_view value, Cells& out);
/// The same of an index entry; returns the version that it lasts with.
kv::Result<CellVersion> unpack_entry(std::string_view value, Cells& out);

/// Returns the beginning of the keys of all cells of a wide row, and of those of one column.
std::string cells_prefix(std::string_view row_key);
std::string column_prefix(std::string_view row_key, std::string_view column);
/// Returns the end of the keys of a row: its own, and those of its cells.
std::string end_of_row(std::string_view row_key);
/// Returns the key of a cell. A column's newest version comes first.
std::string cell_key(std::string_view row_key, std::string_view column, CellVersion version);
/// Returns the value at the key of a cell.
kv::Value pack_cell(const Value& value);

/// Cells that were read from keys of their own, and what their names and values are views of.
class WideCells {
 public:
  WideCells() = default;
  WideCells(const WideCells&) = delete;
  WideCells& operator=(const WideCells&) = delete;

  /// Adds the cell at a key without the key of its row. Fails if it is corrupt.
  kv::Result<void> add(std::string_view key_in_row, const kv::Value& value);

  /// Returns the cells in the order in which they were added.
  const Cells& cells() const { return cells_; }
  Cells take_cells() { return std::move(cells_); }

 private:
  Cells cells_;
  std::deque<std::string> names_;
  std::vector<kv::Value> values_;
};

kv::Error corrupt_row();

}  // namespace dinette::tablestore
