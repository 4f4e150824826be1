#include <chrono>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/container/static_vector.hpp>

#include "dinette/base/bytes.h"
#include "dinette/store/store.h"

#include "store/cached_catalog.h"
#include "store/history.h"
#include "store/keys.h"
#include "store/partition_bytes.h"
#include "store/stamp.h"

namespace dinette::store {
namespace {

using kv::Decision;

/// The name of the lock on the table of a row key: what the key starts with.
kv::Lock table_lock(const EngineKey& row_key) {
  // Shared by the writes of rows; whoever changes or drops the table takes it alone.
  return {row_key.view().substr(0, EngineKey::table_size), kv::Lock::Mode::shared};
}

/// Whether `table` is what the catalog says now. Under the lock on the table it stays so until the commit;
/// with an engine of another kind, reading the stamp makes its change a conflict.
kv::Result<bool> is_current(const kv::Reader& reader, std::uint8_t face, const Table& table) {
  DINETTE_TRY(const auto stamp, reader.get(EngineKey::stamp(face, table.id).view()));
  return stamp && read_stamp(stamp->view()) == table.version;
}

void add_count(kv::WriteBatch& batch, const EngineKey& counters, const Count& count) {
  if (count == Count{}) return;
  batch.add(counters.view(), {count.rows, count.bytes});
}

/// Whether `entry` is to be written at all.
kv::Result<bool> applies(const kv::Reader& reader, const KeyWrite& entry, const EngineKey& key) {
  if (entry.when == KeyWrite::When::always) return true;
  DINETTE_TRY(const auto existing, reader.get(key.view()));
  return existing.has_value() == (entry.when == KeyWrite::When::present);
}

kv::Result<void> append_entry(kv::Transaction& transaction, std::uint8_t face, TableId table,
                              KeyWrite&& entry) {
  EngineKey key = EngineKey::area(face, table, entry.area);
  key.append(entry.key);
  DINETTE_TRY(const bool wanted, applies(transaction, entry, key));
  if (!wanted) return {};
  if (entry.value) {
    transaction.batch().put(key.view(), std::move(entry.value));
  } else {
    transaction.batch().erase(key.view());
  }
  add_count(transaction.batch(), EngineKey::counters(face, table, entry.area.number), entry.count);
  return {};
}

void append_erase(kv::WriteBatch& batch, std::uint8_t face, TableId table, const RangeErase& erase) {
  batch.erase_range(EngineRange(EngineKey::area(face, table, erase.area), erase.range).view());
  add_count(batch, EngineKey::counters(face, table, erase.area.number), erase.count);
}

/// Everything that `change` says, in the one batch that the transaction commits.
kv::Result<void> append(kv::Transaction& transaction, std::uint8_t face, TableId table,
                        const EngineKey& row_key, RowChange&& change) {
  kv::WriteBatch& batch = transaction.batch();
  for (const RangeErase& erase : change.erased_ranges) append_erase(batch, face, table, erase);
  if (change.row == RowChange::Row::put) batch.put(row_key.view(), std::move(change.value));
  if (change.row == RowChange::Row::erase) batch.erase(row_key.view());
  for (KeyWrite& entry : change.entries) {
    DINETTE_CHECK(append_entry(transaction, face, table, std::move(entry)));
  }
  for (StreamAppend& append : change.records) {
    batch.put_in_commit_order(EngineKey::stream(face, append.stream).view(), std::move(append.record));
  }
  add_count(batch, EngineKey::counters(face, table, 0), change.count);
  return {};
}

/// Whether two readings of a key saw the same value.
bool same(const std::optional<kv::Value>& a, const std::optional<kv::Value>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->buffer() == b->buffer() || a->view() == b->view();
}

/// Reads rows within the transaction, each once, when it is asked for.
class TransactionRows final : public RowReader {
 public:
  TransactionRows(const kv::Transaction& transaction, const std::vector<EngineKey>& keys)
      : transaction_(transaction), keys_(keys), rows_(keys.size()) {}

  const kv::Value* row(std::size_t target) override {
    Row& row = rows_[target];
    if (!std::exchange(row.read, true)) {
      auto value = transaction_.get(keys_[target].view());
      if (!value) {
        failure_ = std::move(value).error();
      } else if (*value) {
        row.value = **std::move(value);
      }
    }
    return row.value ? &row.value : nullptr;
  }

  std::unique_ptr<kv::Cursor> keys(std::size_t target) override {
    const std::string end = base::prefix_end(keys_[target].view());
    auto cursor = transaction_.cursor({keys_[target].view(), end});
    if (cursor) return *std::move(cursor);
    failure_ = std::move(cursor).error();
    return nullptr;
  }

  std::size_t key_offset() const override { return EngineKey::table_size + sizeof(Space); }

  const std::optional<kv::Error>& failure() const { return failure_; }

 private:
  struct Row {
    bool read = false;
    kv::Value value;
  };
  const kv::Transaction& transaction_;
  const std::vector<EngineKey>& keys_;
  std::vector<Row> rows_;
  std::optional<kv::Error> failure_;
};

/// The decision about one row. It is made with nothing locked, since to decide the face may read and write
/// long texts, and holds as long as the row is the one that it was made on.
class UnlockedDecision {
 public:
  UnlockedDecision(DecideRow decide, std::chrono::microseconds quick) : decide_(decide), quick_(quick) {}

  void make_on(std::optional<kv::Value> row) {
    const bool first = decisions_++ == 0;  // which is not timed: it hardly ever has to be repeated
    const auto start = first ? Clock::time_point() : Clock::now();
    row_ = std::move(row);
    decision_ = decide_(row_ ? &*row_ : nullptr);
    slow_ = !first && Clock::now() - start >= quick_;
  }

  bool holds_for(const std::optional<kv::Value>& row) const { return decision_ && same(row, row_); }
  RowDecision take() { return *std::exchange(decision_, std::nullopt); }

  /// Whether others may be kept waiting while it is made once more.
  bool may_lock() const {
    if (decisions_ < 2) return false;
    return !slow_ || (base::may_wait() && decisions_ >= most_unlocked_decisions);
  }
  /// Whether this thread may make it once more with nothing locked.
  bool may_repeat() const { return decisions_ < 2 || base::may_wait(); }

 private:
  using Clock = std::chrono::steady_clock;

  DecideRow decide_;
  const std::chrono::microseconds quick_;
  int decisions_ = 0;
  bool slow_ = false;
  std::optional<kv::Value> row_;
  std::optional<RowDecision> decision_;  ///< none after take()
};

base::Failure<kv::Error> overtaken() {
  return base::Failure{kv::Error{kv::ErrorKind::timed_out, "other writes of a row were always quicker"}};
}

}  // namespace

kv::Result<WriteOutcome> Store::write_row(const Table& table, std::string_view key, DecideRow decide,
                                          kv::Deadline deadline) {
  EngineKey row_key = EngineKey::area(face_.id, table.id, Area::rows());
  row_key.append(key);
  UnlockedDecision decision(decide, options_.quick_decision);
  DINETTE_TRY(std::optional<kv::Value> unlocked_row, engine_.get(row_key.view()));
  decision.make_on(std::move(unlocked_row));

  const std::optional<EngineKey> partition = partition_counter(face_.id, table, key);
  boost::container::static_vector<kv::Lock, 3> locks = {{row_key.view()}, table_lock(row_key)};
  if (partition) locks.push_back({partition->view()});
  History::Commit commit(*history_);
  bool committing = false;  // who has begun a commit waits for no locks any more
  std::optional<WriteOutcome> outcome;
  const auto write = [&](kv::Transaction& transaction) -> kv::Result<Decision> {
    outcome = WriteOutcome::table_changed;
    DINETTE_TRY(const bool current, is_current(transaction, face_.id, table));
    if (!current) return Decision::abandon;
    DINETTE_TRY(std::optional<kv::Value> row, transaction.get(row_key.view()));
    if (!decision.holds_for(row)) {
      outcome.reset();
      if (!committing && !decision.may_lock()) return Decision::abandon;
      decision.make_on(std::move(row));
    }
    RowDecision decided = decision.take();
    outcome = decided ? WriteOutcome::applied : WriteOutcome::refused;
    if (!decided) return Decision::abandon;
    if (partition) {
      DINETTE_TRY(const bool fits, add_partition_bytes(transaction, partition->view(),
                                                       decided->partition_bytes, face_.max_partition_bytes));
      outcome = fits ? WriteOutcome::applied : WriteOutcome::partition_full;
      if (!fits) return Decision::abandon;
    }
    DINETTE_CHECK(append(transaction, face_.id, table.id, row_key, *std::move(decided)));
    DINETTE_CHECK(commit.begin());
    committing = true;
    return Decision::commit;
  };
  DINETTE_CHECK(engine_.transact({.locks = locks}, deadline, write));
  while (!outcome) {
    if (!decision.may_repeat()) return overtaken();
    DINETTE_TRY(unlocked_row, engine_.get(row_key.view()));
    decision.make_on(std::move(unlocked_row));
    DINETTE_CHECK(engine_.transact({.locks = locks}, deadline, write));
  }
  if (outcome == WriteOutcome::table_changed) catalog_->forget(table, table.version);
  return *outcome;
}

kv::Result<WriteOutcome> Store::write_rows(std::span<const RowTarget> targets, DecideRows decide) {
  std::vector<EngineKey> row_keys;
  row_keys.reserve(targets.size());
  std::vector<std::optional<EngineKey>> partitions;
  partitions.reserve(targets.size());
  std::vector<kv::Lock> locks;
  for (const RowTarget& target : targets) {
    row_keys.push_back(EngineKey::area(face_.id, target.table->id, Area::rows()));
    row_keys.back().append(target.key);
    partitions.push_back(partition_counter(face_.id, *target.table, target.key));
  }
  for (const EngineKey& row_key : row_keys) {
    locks.push_back({row_key.view()});
    locks.push_back(table_lock(row_key));
  }
  for (const auto& partition : partitions) {
    if (partition) locks.push_back({partition->view()});
  }

  History::Commit commit(*history_);
  WriteOutcome outcome = WriteOutcome::applied;
  const Table* changed = nullptr;
  const auto write = [&](kv::Transaction& transaction) -> kv::Result<Decision> {
    outcome = WriteOutcome::table_changed;
    for (const RowTarget& target : targets) {
      changed = target.table;
      DINETTE_TRY(const bool current, is_current(transaction, face_.id, *target.table));
      if (!current) return Decision::abandon;
    }
    TransactionRows rows(transaction, row_keys);
    std::optional<std::vector<RowChange>> changes = decide(rows);
    if (rows.failure()) return base::Failure{*rows.failure()};
    outcome = changes ? WriteOutcome::applied : WriteOutcome::refused;
    if (!changes) return Decision::abandon;
    std::map<std::string_view, std::int64_t> growth;  // several rows may be of one partition
    for (std::size_t i = 0; i < changes->size(); ++i) {
      if (partitions[i]) growth[partitions[i]->view()] += (*changes)[i].partition_bytes;
    }
    for (const auto& [partition, bytes] : growth) {
      DINETTE_TRY(const bool fits,
                  add_partition_bytes(transaction, partition, bytes, face_.max_partition_bytes));
      outcome = fits ? WriteOutcome::applied : WriteOutcome::partition_full;
      if (!fits) return Decision::abandon;
    }
    for (std::size_t i = 0; i < changes->size(); ++i) {
      DINETTE_CHECK(
          append(transaction, face_.id, targets[i].table->id, row_keys[i], std::move((*changes)[i])));
    }
    DINETTE_CHECK(commit.begin());
    return Decision::commit;
  };
  DINETTE_CHECK(engine_.transact({.locks = locks}, deadline(), write));
  if (outcome == WriteOutcome::table_changed) catalog_->forget(*changed, changed->version);
  return outcome;
}

}  // namespace dinette::store
