#include "tablestore/rows/expiry.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "dinette/tenancy/upkeep.h"

#include "tablestore/rows/index_entries.h"
#include "tablestore/rows/row_change.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/rows/stored_row.h"
#include "tablestore/rows/visibility.h"
#include "tablestore/tables/table_schema.h"

namespace dinette::tablestore {
namespace {

using base::TimePoint;
using std::chrono::seconds;

// What a step does at most. A wide row is read whole, as a write to it would.
constexpr std::size_t keys_per_step = 512;
constexpr std::size_t rows_written_per_step = 64;

constexpr CellVersion newest_version = std::numeric_limits<CellVersion>::max();

const TableOptions& options_of(const store::Table& table) {
  return table.schema_as<TableSchema>().meta().options;
}

seconds lifetime_of(const store::Table& table) {
  return seconds(options_of(table).time_to_live);
}

/// Looks at some rows of a table, for those with expired cells.
class ExpiredRows {
 public:
  explicit ExpiredRows(const Visibility& visibility) : visibility_(visibility) {}

  /// Looks at the rows after `row`, as many as a step may.
  kv::Result<void> find(const store::View& view, const store::Table& table, const std::string& row) {
    last_ = row;
    store::KeyRange range;
    if (!row.empty()) range.begin = end_of_row(row);
    DINETTE_TRY(auto keys, view.scan(table, store::Area::rows(), range, store::Direction::forward));
    DINETTE_TRY(more_, keys.next());
    while (more_ && keys_ < keys_per_step && rows_.size() < rows_written_per_step)
      DINETTE_CHECK(look_at_row(keys));
    return {};
  }

  const std::vector<std::string>& rows() const { return rows_; }
  /// Returns the oldest version of the cells that have not expired.
  CellVersion oldest() const { return oldest_; }
  /// Returns the last row that was looked at.
  const std::string& last() const { return last_; }
  /// Returns true if there are more rows.
  bool more() const { return more_; }

 private:
  /// Looks at the row at the cursor, and moves it past it.
  kv::Result<void> look_at_row(store::RowCursor& keys) {
    last_ = keys.key();
    const kv::Value value = keys.shared_value();
    Cells packed;
    WideCells wide;
    const bool is_wide = wide_row(value.view()).has_value();
    if (!is_wide) DINETTE_CHECK(unpack(value.view(), packed));
    const std::string prefix = cells_prefix(last_);
    for (;;) {
      ++keys_;
      DINETTE_TRY(more_, keys.next());
      if (!is_wide || !more_ || !keys.key().starts_with(prefix)) break;
      DINETTE_CHECK(wide.add(keys.key().substr(last_.size()), keys.shared_value()));
    }
    note(is_wide ? wide.cells() : packed);
    return {};
  }

  void note(const Cells& cells) {
    bool some_expired = false;
    for (const Cell& cell : cells) {
      const bool expired = visibility_.expired(cell.version);
      some_expired |= expired;
      if (!expired) oldest_ = std::min(oldest_, cell.version);
    }
    if (some_expired) rows_.push_back(last_);
  }

  const Visibility& visibility_;
  std::vector<std::string> rows_;
  CellVersion oldest_ = newest_version;
  std::string last_;
  std::size_t keys_ = 0;
  bool more_ = false;
};

/// Removes what has expired of one row as it is now. Returns false if the table has been altered.
kv::Result<bool> remove_expired(store::Store& store, const store::Table& table, const std::string& row_key,
                                const Visibility& visibility) {
  const TableSchema& schema = table.schema_as<TableSchema>();
  const store::WriteTarget targets[] = {store::WriteTarget::row_of_several_keys(table, row_key)};
  const auto decide = [&](const store::Rows& rows, store::RowChanges changes) -> kv::Result<void> {
    StoredRow stored;
    DINETTE_CHECK(stored.read(row_key, rows[0], rows.keys(0), RowReading::all));
    VisibleRow row{.exists = stored.present(), .cells = stored.cells()};
    if (row.exists && !keep_visible(row.cells, visibility)) row = {};
    if (row.cells.size() == stored.cells().size()) return {};  // written since it was found
    DecodedKey key;
    if (!key.read(row_key, schema.meta().key)) return base::Failure{corrupt_row()};
    changes[0] = change_of(row_key, stored, row, false);
    add_index_changes(schema, key.key(), &stored.cells(), row.exists ? &row.cells : nullptr, changes[0]);
    return {};
  };
  DINETTE_TRY(const auto written, store.write(targets, decide));
  DINETTE_CHECK(written.decision);
  return written.outcome != store::WriteOutcome::table_changed;
}

/// Removes from one table what has expired: in passes over all its rows, which are done in steps.
class TableExpiry {
 public:
  TableExpiry(store::Store& store, const store::Table& table)
      : store_(store), name_(table.name), table_(table.id) {}

  kv::Result<base::Jobs::Next> step(const std::stop_token& stop) {
    DINETTE_TRY(const store::TablePointer table, store_.catalog().open(name_));
    if (!table || table->id != table_ || !options_of(*table).expires()) return base::Jobs::done;
    if (table->version != version_) begin_pass(*table);
    const TimePoint now = store_.clock().now();
    const Visibility visibility = Visibility::of(options_of(*table), now);
    DINETTE_TRY(const ExpiredRows expired, find(*table, visibility));
    for (const std::string& row : expired.rows()) {
      if (stop.stop_requested()) return base::Jobs::Next(base::Jobs::at_once);
      DINETTE_TRY(const bool removed, remove_expired(store_, *table, row, visibility));
      if (!removed) return base::Jobs::Next(base::Jobs::at_once);
    }
    last_row_ = expired.last();
    oldest_ = std::min(oldest_, expired.oldest());
    if (expired.more()) return base::Jobs::Next(base::Jobs::at_once);
    const TimePoint next = next_pass(lifetime_of(*table), now);
    begin_pass(*table);
    return base::Jobs::Next(next);
  }

 private:
  /// Begins with the first row: also when the table has been altered, as it may have another time to live.
  void begin_pass(const store::Table& table) {
    version_ = table.version;
    last_row_.clear();
    oldest_ = newest_version;
  }

  kv::Result<ExpiredRows> find(const store::Table& table, const Visibility& visibility) const {
    ExpiredRows expired(visibility);
    DINETTE_TRY(const store::View view, store_.view());
    DINETTE_CHECK(expired.find(view, table, last_row_));
    return expired;
  }

  /// Returns when the oldest of the cells that there are, or will be, expires; or later, so that passes are
  /// rare even if cells expire all the time.
  TimePoint next_pass(seconds lifetime, TimePoint now) const {
    constexpr int passes_per_lifetime = 24;
    constexpr seconds least_pause = std::chrono::minutes(1);
    const seconds present = std::chrono::floor<seconds>(now.time_since_epoch());
    const seconds oldest = std::chrono::floor<seconds>(std::chrono::milliseconds(oldest_));
    return std::max(TimePoint(std::min(oldest, present) + lifetime),
                    now + std::max(least_pause, lifetime / passes_per_lifetime));
  }

  store::Store& store_;
  const std::string name_;
  const store::TableId table_;
  // Of the pass that is under way:
  std::uint64_t version_ = 0;  ///< of the table
  std::string last_row_;       ///< rows up to this one have been looked at
  CellVersion oldest_ = newest_version;
};

}  // namespace

void remove_expired_later(store::Store& store, base::Jobs& jobs, const store::Table& table) {
  if (!options_of(table).expires()) return;
  const auto expiry = std::make_shared<TableExpiry>(store, table);
  tenancy::run_upkeep(
      store, jobs, "expired cells of table " + std::to_string(table.id), base::Jobs::at_once,
      [expiry](const std::stop_token& stop) { return expiry->step(stop); }, lifetime_of(table));
}

}  // namespace dinette::tablestore
