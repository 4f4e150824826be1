#include "tablestore/rows/row_change.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "dinette/store/placement.h"

namespace dinette::tablestore {
namespace {

using store::Area;
using store::KeyRange;
using store::RowChange;

/// Returns the bytes that count for the width of a row.
std::uint64_t bytes_of(const Cell& cell) {
  constexpr std::size_t overhead = 12;  // of the version, the type and the lengths
  return cell.name.size() + overhead + size_of(cell.value);
}

/// Returns the newest version of cells; of none, one that has always expired.
CellVersion newest_of(const Cells& cells) {
  CellVersion newest = std::numeric_limits<CellVersion>::min();
  for (const Cell& cell : cells) newest = std::max(newest, cell.version);
  return newest;
}

int order_of(const Cell& a, const Cell& b) {
  if (const int names = a.name.compare(b.name); names != 0) return names;
  if (a.version == b.version) return 0;
  return a.version > b.version ? -1 : 1;
}

/// Returns true if a value that is stored need not be replaced: 0.0 and -0.0 are equal, and not the same.
bool is_the_same(const Value& stored, const Value& value) {
  if (stored != value) return false;
  return value.type() != ValueType::real || std::signbit(stored.as_real()) == std::signbit(value.as_real());
}

/// Makes the change of a row that is wide afterwards.
class WideChange {
 public:
  WideChange(std::string_view row_key, RowChange& change) : row_key_(row_key), change_(change) {}

  void put(const Cell& cell) {
    change_.entries.push_back(
        {Area::rows(), cell_key(row_key_, cell.name, cell.version), pack_cell(cell.value)});
    count(1, bytes_of(cell));
    if (row.newest != unknown_version) row.newest = std::max(row.newest, cell.version);
  }
  void erase(const Cell& cell) {
    change_.entries.push_back({Area::rows(), cell_key(row_key_, cell.name, cell.version), {}});
    if (cell.version == row.newest) row.newest = unknown_version;
    count(std::uint64_t(-1), std::uint64_t(0) - bytes_of(cell));
  }
  /// Puts and erases what is different. Both are ordered.
  void turn(const Cells& before, const Cells& after) {
    auto old = before.begin();
    for (const Cell& cell : after) {
      while (old != before.end() && order_of(*old, cell) < 0) erase(*old++);
      const bool same = old != before.end() && order_of(*old, cell) == 0;
      if (!same) {
        put(cell);
        continue;
      }
      if (!is_the_same(old->value, cell.value)) replace(*old, cell);
      ++old;
    }
    while (old != before.end()) erase(*old++);
  }

  WideRow row;

 private:
  void replace(const Cell& old, const Cell& cell) {
    put(cell);
    count(std::uint64_t(-1), std::uint64_t(0) - bytes_of(old));
  }
  void count(std::uint64_t cells, std::uint64_t bytes) {
    row.cells += cells;
    row.bytes += bytes;
  }

  const std::string_view row_key_;
  RowChange& change_;
};

void erase_cells(std::string_view row_key, RowChange& change) {
  change.erased_ranges.push_back({Area::rows(), KeyRange::of_prefix(cells_prefix(row_key))});
}

void put_packed(std::string_view row_key, const StoredRow& before, const Cells& cells, RowChange& change) {
  if (before.wide()) erase_cells(row_key, change);
  change.value = pack(cells);
  change.count.bytes = static_cast<std::int64_t>(change.value.size()) - before.bytes();
}

void put_wide(std::string_view row_key, const StoredRow& before, const Cells& cells, bool replaced,
              RowChange& change) {
  WideChange wide(row_key, change);
  if (before.wide() && !replaced) {
    wide.row = *before.wide();
    wide.turn(before.cells(), cells);
  } else {
    if (before.wide()) erase_cells(row_key, change);
    for (const Cell& cell : cells) wide.put(cell);
  }
  if (replaced || before.complete()) {
    wide.row.trimmed = wide.row.cells;
    wide.row.newest = newest_of(cells);
  }
  change.count.bytes = static_cast<std::int64_t>(wide.row.bytes) - before.bytes();
  change.value = pack(wide.row);
}

/// A row that has become wide stays so until it is much smaller, so that it does not change with each write.
bool may_be_packed(const StoredRow& before, const Cells& cells, bool replaced) {
  if (!replaced && !before.complete()) return false;
  return packed_size(cells) <= (before.wide() && !replaced ? most_packed_bytes / 2 : most_packed_bytes);
}

}  // namespace

bool must_be_trimmed(const WideRow& row) {
  constexpr std::uint64_t few = 1024;
  return row.cells > 2 * row.trimmed + few;
}

WideRow wide_row_of(const Cells& cells) {
  WideRow row{.cells = cells.size(), .trimmed = cells.size()};
  for (const Cell& cell : cells) row.bytes += bytes_of(cell);
  row.newest = newest_of(cells);
  return row;
}

RowChange change_of(std::string_view row_key, const StoredRow& before, const VisibleRow& after,
                    bool replaced) {
  RowChange change;
  if (!after.exists) {
    if (!before.present()) return change;
    if (before.wide()) erase_cells(row_key, change);
    change.row = RowChange::Row::erase;
    change.count = {-1, -before.bytes()};
    return change;
  }
  change.row = RowChange::Row::put;
  if (may_be_packed(before, after.cells, replaced))
    put_packed(row_key, before, after.cells, change);
  else
    put_wide(row_key, before, after.cells, replaced, change);
  change.count.rows = before.present() ? 0 : 1;
  return change;
}

}  // namespace dinette::tablestore
