#include "kv/postgres/engine.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/pending.h"
#include "dinette/base/waiting.h"

#include "kv/limits.h"
#include "kv/postgres/commit.h"
#include "kv/postgres/locked_run.h"
#include "kv/postgres/reads.h"
#include "kv/postgres/transaction.h"

namespace dinette::kv::postgres {
namespace {

using AttemptEnd = CommitAttempt::End;
using PlainKeys = std::unordered_set<std::string_view>;

/// More keys than these are not read on an event loop: what they return could hold up its other clients.
constexpr std::size_t most_keys_on_loop = 25;

Result<void> require_few_or_waiting(std::span<const std::string_view> keys) {
  return keys.size() > most_keys_on_loop ? require_waiting() : Result<void>();
}

/// Set in a version of a read set whose key has parts of counters. The others bits are those of the digest,
/// which is even.
constexpr std::uint64_t has_parts = 1;

class PostgresSnapshot final : public Snapshot {
 public:
  PostgresSnapshot(std::shared_ptr<const SnapshotSource> source, std::shared_ptr<const WorldNumber> world)
      : source_(std::move(source)), world_(std::move(world)) {}

  Result<std::optional<Value>> get(std::string_view key) const override {
    DINETTE_TRY(FoundEntry found, read_entry(*source_, world_->number(), key));
    return value_in(std::move(found));
  }
  Result<Values> get_many(std::span<const std::string_view> keys) const override {
    DINETTE_TRY(auto found, read_entries(*source_, world_->number(), keys));
    return values_in(std::move(found));
  }
  Result<std::unique_ptr<Cursor>> cursor(Range range) const override {
    return make_cursor(source_, world_->number(), range);
  }

 private:
  const std::shared_ptr<const SnapshotSource> source_;
  const std::shared_ptr<const WorldNumber> world_;
};

class PostgresEngine final : public WorldEngine {
 public:
  PostgresEngine(std::shared_ptr<Pool> pool, std::shared_ptr<const WorldNumber> world,
                 std::shared_ptr<NewWorlds> new_worlds)
      : pool_(std::move(pool)),
        world_(std::move(world)),
        new_worlds_(std::move(new_worlds)),
        latest_(pool_) {}

  const std::shared_ptr<const WorldNumber>& world() const override { return world_; }

  Capabilities capabilities() const override {
    return {.may_block = true, .forks = true, .durable = true, .shared = true};
  }

  Result<std::optional<Value>> get(std::string_view key) const override {
    DINETTE_TRY(FoundEntry found, read_entry(latest_, number(), key));
    return value_in(std::move(found));
  }
  Result<Values> get_many(std::span<const std::string_view> keys) const override {
    DINETTE_CHECK(require_few_or_waiting(keys));
    DINETTE_TRY(auto found, read_entries(latest_, number(), keys));
    return values_in(std::move(found));
  }
  Result<ReadSet> read_set(std::span<const std::string_view> keys) const override;

  Result<std::shared_ptr<const Snapshot>> snapshot() const override {
    DINETTE_TRY(auto source, SnapshotSource::take(pool_, number()));
    return std::shared_ptr<const Snapshot>(std::make_shared<PostgresSnapshot>(std::move(source), world_));
  }

  Result<std::shared_ptr<const Snapshot>> snapshot_at_first_read() const override {
    return std::shared_ptr<const Snapshot>(
        std::make_shared<PostgresSnapshot>(SnapshotSource::take_at_first_read(pool_, number()), world_));
  }

  Result<CommitNumber> write(const WriteBatch& batch) override;
  Result<CommitNumber> transact(const TransactionPlan& plan, Deadline deadline, Body body) override;
  Result<std::unique_ptr<Engine>> fork() const override;

 private:
  std::int64_t number() const { return world_->number(); }

  /// Runs the body on the read set. Returns nothing if it has to run under the locks.
  Result<std::optional<CommitNumber>> transact_optimistically(const TransactionPlan& plan,
                                                              const LockSet& locks, Deadline deadline,
                                                              Body body);
  Result<CommitNumber> transact_locked(const TransactionPlan& plan, const LockSet& locks, Deadline deadline,
                                       Body body);
  /// Commits `batch` outside of a transaction, as often as it takes. Returns nothing if its verification
  /// fails.
  Result<std::optional<CommitNumber>> commit(CommitPlan plan, const WriteBatch& batch);

  const std::shared_ptr<Pool> pool_;
  const std::shared_ptr<const WorldNumber> world_;
  const std::shared_ptr<NewWorlds> new_worlds_;
  const LatestSource latest_;
};

Result<ReadSet> PostgresEngine::read_set(std::span<const std::string_view> keys) const {
  DINETTE_CHECK(require_few_or_waiting(keys));
  if (!base::may_wait() && base::pending_work() != nullptr) base::pending_work()->require_waiting();
  DINETTE_TRY(auto found, read_entries(latest_, number(), keys));
  ReadSet set;
  set.versions.reserve(found.size());
  for (const FoundEntry& entry : found)
    set.versions.push_back(entry.digest() | (entry.counted() ? has_parts : 0));
  set.values = values_in(std::move(found));
  return set;
}

Result<CommitNumber> PostgresEngine::write(const WriteBatch& batch) {
  DINETTE_CHECK(require_waiting());
  DINETTE_CHECK(check_limits(batch));
  if (batch.empty()) return CommitNumber{0};
  DINETTE_TRY(const auto committed, commit({.world = number()}, batch));
  return *committed;
}

Result<std::optional<CommitNumber>> PostgresEngine::commit(CommitPlan plan, const WriteBatch& batch) {
  const FoldedBatch folded = fold(batch);
  plan.alone = must_be_alone(folded, plan.named_locks);
  const Deadline give_up = std::max(pool_->patience(), plan.lock_deadline);
  for (int attempts = 1;; ++attempts) {
    auto connection = pool_->lease(give_up);
    if (!connection) return base::Failure{kv_error(connection.error())};
    const CommitAttempt attempt = commit_batch(*pool_, **connection, plan, batch, folded);
    if (attempt.end == AttemptEnd::committed) return std::optional(attempt.number);
    if (attempt.end == AttemptEnd::changed) return std::optional<CommitNumber>();
    if (!prepare_next(plan, attempt, attempts, give_up)) return base::Failure{*attempt.error};
  }
}

Result<CommitNumber> PostgresEngine::transact(const TransactionPlan& plan, Deadline deadline, Body body) {
  DINETTE_CHECK(require_waiting());
  const LockSet locks(number(), plan.locks);
  if (plan.read_set != nullptr && plan.read_set->versions.size() == plan.reads.size()) {
    DINETTE_TRY(const auto committed, transact_optimistically(plan, locks, deadline, body));
    if (committed) return *committed;
  }
  return transact_locked(plan, locks, deadline, body);
}

Result<std::optional<CommitNumber>> PostgresEngine::transact_optimistically(const TransactionPlan& plan,
                                                                            const LockSet& locks,
                                                                            Deadline deadline, Body body) {
  const ReadSet& set = *plan.read_set;
  OptimisticTransaction transaction(DeclaredReads(plan.reads, set.values));
  const auto decision = body(transaction);
  const WriteBatch& batch = transaction.batch();
  if (transaction.needs_locks()) return std::optional<CommitNumber>();
  if (!decision) return base::Failure{decision.error()};
  if (*decision == Decision::abandon) return std::optional(CommitNumber{0});
  // These are found out under the locks, and so is a number that the keys depend on.
  if (batch.has_conditions() || fold(batch).needs_number) return std::optional<CommitNumber>();
  DINETTE_CHECK(check_limits(batch));
  PlainKeys plain;
  for (std::size_t i = 0; i < plan.reads.size(); ++i) {
    if ((set.versions[i] & has_parts) == 0) plain.insert(plan.reads[i]);
  }
  return commit({.world = number(),
                 .locks = &locks,
                 .named_locks = plan.locks,
                 .lock_deadline = deadline,
                 .verification = Verification{plan.reads, set.versions},
                 .plain_keys = &plain},
                batch);
}

Result<CommitNumber> PostgresEngine::transact_locked(const TransactionPlan& plan, const LockSet& locks,
                                                     Deadline deadline, Body body) {
  CommitPlan next{.world = number()};
  const Deadline give_up = std::max(pool_->patience(), deadline);
  for (int attempts = 1;; ++attempts) {
    auto connection = pool_->lease(give_up);
    if (!connection) return base::Failure{kv_error(connection.error())};
    const CommitAttempt attempt =
        LockedRun(*pool_, **connection, number(), plan, locks).run(body, next, deadline);
    if (attempt.end == AttemptEnd::committed) return attempt.number;
    if (!prepare_next(next, attempt, attempts, give_up)) return base::Failure{*attempt.error};
  }
}

Result<std::unique_ptr<Engine>> PostgresEngine::fork() const {
  DINETTE_CHECK(require_waiting());
  DINETTE_TRY(auto world, new_worlds_->make());
  DINETTE_TRY(const auto source, SnapshotSource::take(pool_, number()));
  constexpr std::chrono::hours longest{1};
  const Deadline deadline = std::chrono::steady_clock::now() + longest;
  DINETTE_CHECK(source->execute(
      "insert into dn_kv select " + std::to_string(world->number()) +
          ", parent, part, slot, version, n, value from dn_kv where world = " + std::to_string(number()),
      deadline));
  DINETTE_CHECK(source->commit(deadline));
  return std::unique_ptr<Engine>(make_engine(pool_, std::move(world), new_worlds_));
}

}  // namespace

std::unique_ptr<WorldEngine> make_engine(std::shared_ptr<Pool> pool, std::shared_ptr<const WorldNumber> world,
                                         std::shared_ptr<NewWorlds> new_worlds) {
  return std::make_unique<PostgresEngine>(std::move(pool), std::move(world), std::move(new_worlds));
}

}  // namespace dinette::kv::postgres
