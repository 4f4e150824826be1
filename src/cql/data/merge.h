#pragma once

#include "cql/data/cell.h"
#include "cql/data/record.h"

/// What becomes of rows by writes, and what of them can be seen (docs/service-keyspaces/timestamps.md
/// sections 2 to 4). Each function keeps cells in their order, and each place once.
namespace dinette::cql::data {

/// How long tombstones are kept, in seconds (section 6).
inline constexpr Seconds tombstones_keep = 10 * 24 * 60 * 60;

/// How the writes of a table are reconciled.
struct Rules {
  /// The greater timestamp wins, whatever the order of arrival, and deletions leave tombstones. Otherwise the
  /// later write wins, and deletions are final at once.
  bool by_timestamp = true;
  /// Of two values with one timestamp the later request wins. Otherwise the greater value.
  bool later_request_wins = false;
  Seconds now = 0;
};

/// Writes one cell: a value or a tombstone. `hidden_by`: the deletion of its row.
void put_cell(Cells& cells, const Cell& cell, const Deletion& hidden_by, const Rules& rules);

/// Deletes all elements of a column.
void delete_elements(Cells& cells, std::uint32_t column, const Deletion& deletion, const Deletion& hidden_by,
                     const Rules& rules);

/// Deletes a row, and what it has.
void delete_row(Row& row, const Deletion& deletion, const Rules& rules);

/// Adds the mark of an INSERT.
void mark_row(Row& row, const Stamp& stamp, const Rules& rules);

/// Deletes the static cells that a deletion of their partition hides.
void delete_statics(Partition& partition, const Deletion& deletion, const Rules& rules);

/// Adds a deletion of the partition, or of a range of its rows.
void delete_partition(Partition& partition, const Deletion& deletion, const Rules& rules);
void delete_range(Partition& partition, RangeTombstone tombstone, const Rules& rules);

/// Removes tombstones and expired cells that have been there for ten days, and in tables without tombstones
/// all that have expired.
void purge(Row& row, const Rules& rules);
void purge(Partition& partition, const Rules& rules);

/// Turns cells that have expired into tombstones of the same timestamp, and removes what purge() removes.
/// Returns what that took, as the service counts it.
struct Swept {
  std::uint64_t expired = 0;     ///< cells and markers
  std::uint64_t tombstones = 0;  ///< that were removed, with expired cells of tables without tombstones
};
Swept sweep(Row& row, const Rules& rules);
Swept sweep(Partition& partition, const Rules& rules);

/// Leaves of cells only those that can be seen. `hidden_by`: the latest deletion of their row.
void keep_visible(Cells& cells, const Deletion& hidden_by, Seconds now);

/// The same of a row: its marker too. Returns true if there is anything to be seen.
bool keep_visible(Row& row, const Deletion& of_partition, Seconds now);

}  // namespace dinette::cql::data
