#include "cql/data/merge.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace dinette::cql::data {
namespace {

/// Returns true if `written` replaces `stored`, which is at the same place.
bool replaces(const Cell& written, const Cell& stored, const Rules& rules) {
  if (written.stamp.timestamp != stored.stamp.timestamp) {
    return written.stamp.timestamp > stored.stamp.timestamp;
  }
  const bool written_lives = written.live(rules.now);
  if (written_lives != stored.live(rules.now)) return !written_lives;
  if (!written_lives || rules.later_request_wins) return true;
  if (written.value != stored.value) return written.value > stored.value;
  // A cell that does not expire is there for longer than all others.
  const auto end = [](const Cell& cell) {
    return cell.stamp.time_to_live == 0 ? std::numeric_limits<Seconds>::max() : cell.stamp.expires;
  };
  return end(written) >= end(stored);
}

Cells::iterator elements_deletion(Cells& cells, std::uint32_t column) {
  const Cell wanted{.column = column, .kind = Cell::Kind::all_elements};
  const auto found = std::ranges::lower_bound(cells, wanted, precedes);
  const bool exists =
      found != cells.end() && found->column == column && found->kind == Cell::Kind::all_elements;
  return exists ? found : cells.end();
}

bool is_hidden(const Cell& cell, const Deletion& hidden_by) {
  return hidden_by.exists() && hidden_by.hides(cell.stamp.timestamp);
}

/// Returns true of what has been dead for long enough.
bool is_over(const Cell& cell, const Rules& rules) {
  if (cell.kind != Cell::Kind::value) return !rules.by_timestamp || cell.made + tombstones_keep <= rules.now;
  if (!cell.stamp.expired(rules.now)) return false;
  return !rules.by_timestamp || cell.stamp.expires + tombstones_keep <= rules.now;
}

bool is_over(const Deletion& deletion, const Rules& rules) {
  return !rules.by_timestamp || deletion.made + tombstones_keep <= rules.now;
}

void replace(Deletion& deletion, const Deletion& by) {
  if (by.timestamp > deletion.timestamp) deletion = by;
}

}  // namespace

void put_cell(Cells& cells, const Cell& cell, const Deletion& hidden_by, const Rules& rules) {
  if (rules.by_timestamp) {
    if (is_hidden(cell, hidden_by)) return;
    const auto all = elements_deletion(cells, cell.column);
    if (all != cells.end() && cell.stamp.timestamp <= all->stamp.timestamp) return;
  }
  const auto place = std::ranges::lower_bound(cells, cell, precedes);
  const bool found = place != cells.end() && !precedes(cell, *place);
  const bool erases = !rules.by_timestamp && cell.kind == Cell::Kind::tombstone;
  if (erases) {
    if (found) cells.erase(place);
  } else if (!found) {
    cells.insert(place, cell);
  } else if (!rules.by_timestamp || replaces(cell, *place, rules)) {
    *place = cell;
  }
}

void delete_elements(Cells& cells, std::uint32_t column, const Deletion& deletion, const Deletion& hidden_by,
                     const Rules& rules) {
  const auto hidden = [&](const Cell& cell) {
    if (cell.column != column) return false;
    return !rules.by_timestamp || deletion.hides(cell.stamp.timestamp);
  };
  if (rules.by_timestamp) {
    if (hidden_by.exists() && hidden_by.hides(deletion.timestamp)) return;
    const auto all = elements_deletion(cells, column);
    if (all != cells.end() && all->stamp.timestamp > deletion.timestamp) return;
  }
  std::erase_if(cells, hidden);
  if (!rules.by_timestamp) return;
  const Cell tombstone{.column = column,
                       .kind = Cell::Kind::all_elements,
                       .stamp = {.timestamp = deletion.timestamp},
                       .made = deletion.made};
  cells.insert(std::ranges::lower_bound(cells, tombstone, precedes), tombstone);
}

void delete_row(Row& row, const Deletion& deletion, const Rules& rules) {
  if (!rules.by_timestamp) {
    row.marker.reset();
    row.cells.clear();
    row.deletion = {};
    return;
  }
  replace(row.deletion, deletion);
  if (row.marker && row.deletion.hides(row.marker->timestamp)) row.marker.reset();
  std::erase_if(row.cells, [&](const Cell& cell) { return is_hidden(cell, row.deletion); });
}

void mark_row(Row& row, const Stamp& stamp, const Rules& rules) {
  if (rules.by_timestamp) {
    if (row.deletion.exists() && row.deletion.hides(stamp.timestamp)) return;
    if (row.marker && row.marker->timestamp > stamp.timestamp) return;
    // Of two at one time the one that expires, unlike cells; of two that do the later one.
    const bool same = row.marker && row.marker->timestamp == stamp.timestamp && !rules.later_request_wins;
    if (same && row.marker->time_to_live != 0 &&
        (stamp.time_to_live == 0 || row.marker->expires > stamp.expires)) {
      return;
    }
  }
  row.marker = stamp;
}

void delete_statics(Partition& partition, const Deletion& deletion, const Rules& rules) {
  std::erase_if(partition.statics,
                [&](const Cell& cell) { return !rules.by_timestamp || is_hidden(cell, deletion); });
}

void delete_partition(Partition& partition, const Deletion& deletion, const Rules& rules) {
  delete_statics(partition, deletion, rules);
  if (!rules.by_timestamp) return;
  replace(partition.deletion, deletion);
  std::erase_if(partition.ranges, [&](const RangeTombstone& range) {
    return range.deletion.timestamp <= partition.deletion.timestamp;
  });
}

void delete_range(Partition& partition, RangeTombstone tombstone, const Rules& rules) {
  if (!rules.by_timestamp || partition.deletion.timestamp >= tombstone.deletion.timestamp) return;
  const std::string& begin = tombstone.range.begin;
  const std::string& end = tombstone.range.end;
  std::erase_if(partition.ranges, [&](const RangeTombstone& other) {
    const bool covered =
        other.range.begin >= begin && (end.empty() || (!other.range.end.empty() && other.range.end <= end));
    return covered && other.deletion.timestamp <= tombstone.deletion.timestamp;
  });
  partition.ranges.push_back(std::move(tombstone));
}

void purge(Row& row, const Rules& rules) {
  std::erase_if(row.cells, [&](const Cell& cell) { return is_over(cell, rules); });
  if (row.deletion.exists() && is_over(row.deletion, rules)) row.deletion = {};
  if (!row.marker || !row.marker->expired(rules.now)) return;
  if (!rules.by_timestamp || row.marker->expires + tombstones_keep <= rules.now) row.marker.reset();
}

void purge(Partition& partition, const Rules& rules) {
  std::erase_if(partition.statics, [&](const Cell& cell) { return is_over(cell, rules); });
  std::erase_if(partition.ranges,
                [&](const RangeTombstone& range) { return is_over(range.deletion, rules); });
  if (partition.deletion.exists() && is_over(partition.deletion, rules)) partition.deletion = {};
}

namespace {

/// Returns how many cells have expired.
std::uint64_t bury_expired(Cells& cells, const Rules& rules) {
  std::uint64_t buried = 0;
  for (Cell& cell : cells) {
    if (cell.kind != Cell::Kind::value || !cell.stamp.expired(rules.now)) continue;
    ++buried;
    if (!rules.by_timestamp) continue;  // it is removed at once
    cell.kind = Cell::Kind::tombstone;
    cell.made = cell.stamp.expires;
    cell.stamp = {.timestamp = cell.stamp.timestamp};
    cell.key = cell.value = {};
  }
  return buried;
}

std::uint64_t tombstones_of(const Cells& cells) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(cells, [](const Cell& cell) { return cell.kind != Cell::Kind::value; }));
}

std::uint64_t tombstones_of(const Row& row) {
  return tombstones_of(row.cells) + (row.deletion.exists() ? 1 : 0);
}

std::uint64_t tombstones_of(const Partition& partition) {
  return tombstones_of(partition.statics) + partition.ranges.size() + (partition.deletion.exists() ? 1 : 0);
}

}  // namespace

Swept sweep(Row& row, const Rules& rules) {
  Swept swept{.expired = bury_expired(row.cells, rules)};
  const std::uint64_t before = tombstones_of(row);
  const bool marked = row.marker.has_value();
  purge(row, rules);
  swept.tombstones = before - tombstones_of(row) + (marked && !row.marker ? 1 : 0);
  return swept;
}

Swept sweep(Partition& partition, const Rules& rules) {
  Swept swept{.expired = bury_expired(partition.statics, rules)};
  const std::uint64_t before = tombstones_of(partition);
  purge(partition, rules);
  swept.tombstones = before - tombstones_of(partition);
  return swept;
}

void keep_visible(Cells& cells, const Deletion& hidden_by, Seconds now) {
  Cell all;  // the last tombstone of all elements
  const auto is_unseen = [&](const Cell& cell) {
    if (cell.kind == Cell::Kind::all_elements) all = cell;
    const bool deleted = all.kind == Cell::Kind::all_elements && all.column == cell.column &&
                         cell.stamp.timestamp <= all.stamp.timestamp;
    return deleted || !cell.live(now) || is_hidden(cell, hidden_by);
  };
  std::size_t kept = 0;
  for (const Cell& cell : cells) {
    if (!is_unseen(cell)) cells[kept++] = cell;
  }
  cells.resize(kept);
}

bool keep_visible(Row& row, const Deletion& of_partition, Seconds now) {
  const Deletion& latest = of_partition.timestamp > row.deletion.timestamp ? of_partition : row.deletion;
  keep_visible(row.cells, latest, now);
  const bool marked =
      row.marker && !row.marker->expired(now) && !(latest.exists() && latest.hides(row.marker->timestamp));
  if (!marked) row.marker.reset();
  return marked || !row.cells.empty();
}

}  // namespace dinette::cql::data
