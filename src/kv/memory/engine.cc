#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>

#include "dinette/kv/memory.h"

#include "kv/latches.h"
#include "kv/limits.h"
#include "kv/memory/commit_reserve.h"
#include "kv/memory/cursor.h"
#include "kv/memory/numbered_engine.h"
#include "kv/memory/read_write_lock.h"
#include "kv/memory/reclaimer.h"
#include "kv/memory/tree.h"

namespace dinette::kv {
namespace memory {
namespace {

std::optional<Value> counted(Value::Buffer* buffer) {
  if (buffer == nullptr) return std::nullopt;
  Value::retain(buffer);
  return Value::adopt(buffer);
}

/// The state of an engine, a snapshot or a fork. A copy costs one increment.
struct State {
  Tree tree;
  CommitNumber last_commit = 0;
};

class MemorySnapshot final : public Snapshot, public std::enable_shared_from_this<MemorySnapshot> {
 public:
  MemorySnapshot(const State& state, std::shared_ptr<Reclaimer> reclaimer)
      : state_(state), reclaimer_(std::move(reclaimer)) {}
  ~MemorySnapshot() override {
    Garbage garbage;
    state_.tree.clear(garbage);
    reclaimer_->take(garbage);
  }

  Result<std::optional<Value>> get(std::string_view key) const override {
    return counted(state_.tree.find(key));
  }
  Result<std::unique_ptr<Cursor>> cursor(Range range) const override {
    return std::unique_ptr<Cursor>(
        std::make_unique<TreeCursor>(shared_from_this(), state_.tree.root(), range));
  }

  const State& state() const { return state_; }

 private:
  State state_;
  std::shared_ptr<Reclaimer> reclaimer_;
};

class MemoryEngine final : public NumberedEngine {
 public:
  MemoryEngine(const State& state, std::shared_ptr<Reclaimer> reclaimer)
      : state_(state), reclaimer_(std::move(reclaimer)) {}
  ~MemoryEngine() override {
    Garbage garbage;
    state_.tree.clear(garbage);
    reclaimer_->take(garbage);
  }

  Capabilities capabilities() const override { return {.forks = true, .resets = true}; }

  Result<std::optional<Value>> get(std::string_view key) const override {
    const std::shared_lock guard(lock_);
    return counted(state_.tree.find(key));
  }
  Result<Values> get_many(std::span<const std::string_view> keys) const override {
    Values values;
    values.reserve(keys.size());
    const std::shared_lock guard(lock_);
    for (const std::string_view key : keys) values.push_back(counted(state_.tree.find(key)));
    return values;
  }

  Result<std::shared_ptr<const Snapshot>> snapshot() const override {
    return std::shared_ptr<const Snapshot>(std::make_shared<MemorySnapshot>(copy(), reclaimer_));
  }

  Result<CommitNumber> write(const WriteBatch& batch) override {
    DINETTE_CHECK(check_limits(batch));
    return *commit(batch, std::nullopt);
  }

  Result<CommitNumber> transact(const TransactionPlan& plan, Deadline deadline, Body body) override;

  Result<std::unique_ptr<Engine>> fork() const override { return std::unique_ptr<Engine>(fork_numbered()); }
  std::unique_ptr<NumberedEngine> fork_numbered() const override {
    return std::make_unique<MemoryEngine>(copy(), reclaimer_);
  }

  void write_numbered(const WriteBatch& batch, CommitNumber number) override {
    Garbage garbage;
    {
      const CommitReserve reserve(batch);
      const std::unique_lock guard(lock_);
      if (number != 0) state_.last_commit = number - 1;
      apply(batch, garbage);
    }
    reclaimer_->take(garbage);
  }

  Result<void> reset(const Snapshot& snapshot) override;

 private:
  class MemoryTransaction;

  State copy() const {
    const std::shared_lock guard(lock_);
    return state_;
  }
  std::optional<CommitNumber> commit(const WriteBatch& batch, std::optional<std::uint64_t> expected_age);
  CommitNumber apply(const WriteBatch& batch, Garbage& garbage) noexcept;

  mutable ReadWriteLock lock_;
  State state_;                        ///< guarded by lock_
  std::atomic<std::uint64_t> age_{0};  ///< resets so far; changes under lock_ held exclusively
  Latches latches_;
  std::shared_ptr<Reclaimer> reclaimer_;
};

class MemoryEngine::MemoryTransaction final : public Transaction {
 public:
  explicit MemoryTransaction(const MemoryEngine& engine) : engine_(engine) {}

  Result<std::optional<Value>> get(std::string_view key) const override { return engine_.get(key); }
  Result<Values> get_many(std::span<const std::string_view> keys) const override {
    return engine_.get_many(keys);
  }
  Result<std::unique_ptr<Cursor>> cursor(Range range) const override {
    DINETTE_TRY(const auto snapshot, engine_.snapshot());
    return snapshot->cursor(range);
  }
  WriteBatch& batch() override { return batch_; }

 private:
  const MemoryEngine& engine_;
  WriteBatch batch_;
};

Result<CommitNumber> MemoryEngine::transact(const TransactionPlan& plan, Deadline deadline, Body body) {
  Latches::Hold hold;
  if (!latches_.acquire(plan.locks, deadline, hold)) {
    return base::Failure{
        Error{ErrorKind::timed_out, "the locks of a transaction were held beyond its deadline"}};
  }
  MemoryTransaction transaction(*this);
  while (true) {
    const std::uint64_t age = age_.load();
    transaction.batch().clear();
    DINETTE_TRY(const Decision decision, body(transaction));
    if (decision == Decision::abandon) return CommitNumber{0};
    DINETTE_CHECK(transaction.batch().settle(transaction));
    DINETTE_CHECK(check_limits(transaction.batch()));
    if (const auto number = commit(transaction.batch(), age)) return *number;
  }
}

/// Returns what write() returns, or nullopt if the engine was reset since it was `expected_age` old.
std::optional<CommitNumber> MemoryEngine::commit(const WriteBatch& batch,
                                                 std::optional<std::uint64_t> expected_age) {
  Garbage garbage;
  CommitNumber number;
  {
    const CommitReserve reserve(batch);
    const std::unique_lock guard(lock_);
    if (expected_age && *expected_age != age_.load()) return std::nullopt;
    number = apply(batch, garbage);
  }
  reclaimer_->take(garbage);
  return number;
}

/// Returns the number of the commit, or 0 if it needs none. noexcept: running out of memory half way, with
/// CommitReserve used up, would leave half a batch, so the process ends instead.
CommitNumber MemoryEngine::apply(const WriteBatch& batch, Garbage& garbage) noexcept {
  const CommitNumber number = batch.in_commit_order() ? ++state_.last_commit : 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const WriteBatch::Change change = batch[i];
    switch (change.kind) {
      case WriteBatch::Kind::put:
        state_.tree.put(change.key, *change.value, garbage);
        break;
      case WriteBatch::Kind::put_in_commit_order:
        state_.tree.put(key_in_commit_order(change, number), *change.value, garbage);
        break;
      case WriteBatch::Kind::erase:
        state_.tree.erase(change.key, garbage);
        break;
      case WriteBatch::Kind::erase_range:
        state_.tree.erase_range({change.key, change.end}, garbage);
        break;
      case WriteBatch::Kind::add:
        state_.tree.add(change.key, change.end, garbage);
        break;
    }
  }
  return number;
}

Result<void> MemoryEngine::reset(const Snapshot& snapshot) {
  const auto* to = dynamic_cast<const MemorySnapshot*>(&snapshot);
  if (to == nullptr) {
    return base::Failure{Error{ErrorKind::unsupported, "the snapshot is one of another kind of engine"}};
  }
  Garbage garbage;
  {
    const std::unique_lock guard(lock_);
    state_.tree.become(to->state().tree, garbage);
    state_.last_commit = std::max(state_.last_commit, to->state().last_commit);
    age_.fetch_add(1);
  }
  reclaimer_->take(garbage);
  return {};
}

}  // namespace

std::unique_ptr<NumberedEngine> make_numbered_engine() {
  return std::make_unique<MemoryEngine>(State(), std::make_shared<Reclaimer>());
}

}  // namespace memory

std::unique_ptr<Engine> make_memory_engine() {
  return memory::make_numbered_engine();
}

}  // namespace dinette::kv
