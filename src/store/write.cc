#include "dinette/store/write.h"

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "dinette/store/store.h"

#include "store/append_change.h"
#include "store/cached_catalog.h"
#include "store/history.h"
#include "store/row_version.h"
#include "store/target_keys.h"
#include "store/unlocked_decision.h"

namespace dinette::store {
namespace {

/// What a write does under its locks.
class LockedWrite {
 public:
  /// `rows` has room for one per target.
  LockedWrite(KeyOwner owner, std::int64_t max_partition_bytes, const base::Clock& clock,
              std::span<const WriteTarget> targets, const TargetKeys& keys, std::span<FoundRow> rows,
              UnlockedDecision& decision, History& history)
      : owner_(owner),
        max_partition_bytes_(max_partition_bytes),
        clock_(clock),
        targets_(targets),
        keys_(keys),
        rows_(rows),
        decision_(decision),
        commit_(history) {}

  /// The body of the transaction; the engine may run it more than once.
  kv::Result<kv::Decision> run(kv::Transaction& transaction) {
    end_.reset();
    DINETTE_TRY(const auto changed, keys_.find_changed_table(transaction));
    if (changed) return abandon({WriteOutcome::table_changed, *changed});
    DINETTE_CHECK(keys_.read(transaction, rows_));
    if (!decision_.holds_for(rows_)) {
      // A commit that has begun keeps all others out, so it must not wait for locks again.
      if (!committing_ && !decision_.may_lock()) return kv::Decision::abandon;
      decision_.make_on(rows_);
    }
    if (!decision_.commits()) return abandon({WriteOutcome::refused});
    DINETTE_TRY(const auto full,
                keys_.grow_partitions(transaction, decision_.changes(), max_partition_bytes_));
    if (full) return abandon({WriteOutcome::partition_full, *full});
    return commit(transaction);
  }

  /// Returns how the last run ended; nullopt if other writes have overtaken the decision.
  const std::optional<WriteEnd>& end() const { return end_; }
  /// Returns true if the last run has appended to streams.
  bool appends() const { return appends_; }

 private:
  kv::Decision abandon(WriteEnd end) {
    end_ = end;
    return kv::Decision::abandon;
  }

  kv::Result<kv::Decision> commit(kv::Transaction& transaction) {
    const std::span<RowChange> changes = decision_.take_changes();
    appends_ = false;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      keep_version(transaction.batch(), i, changes[i]);
      const TableId table = targets_[i].table ? targets_[i].table->id : no_table;
      appends_ = appends_ || !changes[i].records.empty();
      append_change(transaction.batch(), owner_, table, keys_.key(i), std::move(changes[i]));
    }
    end_ = WriteEnd{WriteOutcome::applied};
    if (transaction.batch().empty()) return kv::Decision::abandon;
    DINETTE_CHECK(commit_.begin());
    committing_ = true;
    return kv::Decision::commit;
  }

  void keep_version(kv::WriteBatch& batch, std::size_t target, const RowChange& change) const {
    const Table* const table = targets_[target].table;
    if (!table || change.row == RowChange::Row::keep || !table->schema->keeps_versions()) return;
    const EngineKey prefix =
        EngineKey::area(owner_, table->id, Area::versions()).append(targets_[target].key);
    const RowVersion version{clock_.now(), table->version, decision_.rows()[target].value};
    kv::Value former = encode_version(version);
    batch.add(EngineKey::former_counters(owner_.face, table->id).view(),
              {1, static_cast<std::int64_t>(former.size())});
    batch.put_in_commit_order(prefix.view(), std::move(former));
  }

  const KeyOwner owner_;
  const std::int64_t max_partition_bytes_;
  const base::Clock& clock_;
  const std::span<const WriteTarget> targets_;
  const TargetKeys& keys_;
  const std::span<FoundRow> rows_;
  UnlockedDecision& decision_;
  History::Commit commit_;
  bool committing_ = false;
  bool appends_ = false;
  std::optional<WriteEnd> end_;
};

/// Reads what a write decides on. Over a shared engine also all that it gets later, for `read_set`: then it
/// takes two round trips, this one and the commit.
kv::Result<void> read_ahead(const kv::Engine& engine, const TargetKeys& keys, std::span<FoundRow> rows,
                            std::optional<kv::ReadSet>& read_set) {
  if (!keys.reads_all() || !engine.capabilities().shared) return keys.read(engine, rows);
  DINETTE_TRY(read_set, engine.read_set(keys.reads()));
  keys.take(read_set->values, rows);
  return {};
}

base::Failure<kv::Error> overtaken() {
  return base::Failure{kv::Error{kv::ErrorKind::timed_out, "other writes of a row were always quicker"}};
}

}  // namespace

kv::Result<WriteEnd> Store::write_decided(std::span<const WriteTarget> targets, DecideRows decide,
                                          std::optional<kv::Deadline> deadline) {
  const kv::Deadline until = deadline ? *deadline : this->deadline();
  const KeyOwner owner{face_.id, name_space_};
  const TargetKeys keys(owner, targets);
  UnlockedDecision decision(targets.size(), decide, options_.quick_decision);
  boost::container::small_vector<FoundRow, 1> rows(targets.size());
  LockedWrite write(owner, face_.max_partition_bytes, clock_, targets, keys, rows, decision, *history_);
  kv::CommitNumber commit = 0;
  while (!write.end()) {
    if (!decision.may_repeat()) return overtaken();
    std::optional<kv::ReadSet> read_set;
    DINETTE_CHECK(read_ahead(engine_, keys, rows, read_set));
    decision.make_on(rows);
    const auto run = [&](kv::Transaction& transaction) { return write.run(transaction); };
    const kv::TransactionPlan plan{
        .locks = keys.locks(), .reads = keys.reads(), .read_set = read_set ? &*read_set : nullptr};
    DINETTE_TRY(commit, engine_.transact(plan, until, run));
  }
  WriteEnd end = *write.end();
  end.commit = commit;
  if (write.appends() && options_.appended) options_.appended();
  if (end.outcome == WriteOutcome::table_changed) {
    const Table& table = *targets[end.target].table;
    catalog_->forget(table, table.version);
  }
  return end;
}

}  // namespace dinette::store
