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

class MemorySnapshot final : public Snapshot, public std::enable_shared_from_this<MemorySnapshot> {
 public:
  MemorySnapshot(Tree tree, std::shared_ptr<Reclaimer> reclaimer)
      : tree_(std::move(tree)), reclaimer_(std::move(reclaimer)) {}
  ~MemorySnapshot() override {
    Garbage garbage;
    tree_.clear(garbage);
    reclaimer_->take(garbage);
  }

  Result<std::optional<Value>> get(std::string_view key) const override { return counted(tree_.find(key)); }
  Result<std::unique_ptr<Cursor>> cursor(Range range) const override {
    return std::unique_ptr<Cursor>(std::make_unique<TreeCursor>(shared_from_this(), tree_.root(), range));
  }

  const Tree& tree() const { return tree_; }

 private:
  Tree tree_;
  std::shared_ptr<Reclaimer> reclaimer_;
};

class MemoryEngine final : public Engine {
 public:
  MemoryEngine(const Tree& tree, std::shared_ptr<Reclaimer> reclaimer)
      : tree_(tree), reclaimer_(std::move(reclaimer)) {}
  ~MemoryEngine() override {
    Garbage garbage;
    tree_.clear(garbage);
    reclaimer_->take(garbage);
  }

  Result<std::optional<Value>> get(std::string_view key) const override {
    const std::shared_lock guard(lock_);
    return counted(tree_.find(key));
  }

  Result<std::shared_ptr<const Snapshot>> snapshot() const override {
    return std::shared_ptr<const Snapshot>(std::make_shared<MemorySnapshot>(copy(), reclaimer_));
  }

  Result<void> write(const WriteBatch& batch) override {
    DINETTE_CHECK(check_limits(batch));
    commit(batch, std::nullopt);
    return {};
  }

  Result<void> transact(std::span<const Lock> locks, Deadline deadline, Body body) override;

  bool may_block() const override { return false; }

  Result<std::unique_ptr<Engine>> fork() const override {
    return std::unique_ptr<Engine>(std::make_unique<MemoryEngine>(copy(), reclaimer_));
  }

  Result<void> reset(const Snapshot& snapshot) override;

 private:
  class MemoryTransaction;

  Tree copy() const {
    const std::shared_lock guard(lock_);
    return tree_;
  }
  bool commit(const WriteBatch& batch, std::optional<std::uint64_t> expected_age);
  void apply(const WriteBatch& batch, Garbage& garbage) noexcept;

  mutable ReadWriteLock lock_;
  Tree tree_;                          ///< guarded by lock_
  std::atomic<std::uint64_t> age_{0};  ///< resets so far; changes under lock_ held exclusively
  Latches latches_;
  std::shared_ptr<Reclaimer> reclaimer_;
};

class MemoryEngine::MemoryTransaction final : public Transaction {
 public:
  explicit MemoryTransaction(const MemoryEngine& engine) : engine_(engine) {}

  Result<std::optional<Value>> get(std::string_view key) const override { return engine_.get(key); }
  Result<std::unique_ptr<Cursor>> cursor(Range range) const override {
    DINETTE_TRY(const auto snapshot, engine_.snapshot());
    return snapshot->cursor(range);
  }
  WriteBatch& batch() override { return batch_; }

 private:
  const MemoryEngine& engine_;
  WriteBatch batch_;
};

Result<void> MemoryEngine::transact(std::span<const Lock> locks, Deadline deadline, Body body) {
  Latches::Hold hold;
  if (!latches_.acquire(locks, deadline, hold)) {
    return base::Failure{
        Error{ErrorKind::timed_out, "the locks of a transaction were held beyond its deadline"}};
  }
  MemoryTransaction transaction(*this);
  while (true) {
    const std::uint64_t age = age_.load();
    transaction.batch().clear();
    DINETTE_TRY(const Decision decision, body(transaction));
    if (decision == Decision::abandon) return {};
    DINETTE_CHECK(check_limits(transaction.batch()));
    if (commit(transaction.batch(), age)) return {};
  }
}

/// False when the engine was reset since it was `expected_age` old.
bool MemoryEngine::commit(const WriteBatch& batch, std::optional<std::uint64_t> expected_age) {
  Garbage garbage;
  {
    const CommitReserve reserve(batch);
    const std::unique_lock guard(lock_);
    if (expected_age && *expected_age != age_.load()) return false;
    apply(batch, garbage);
  }
  reclaimer_->take(garbage);
  return true;
}

/// noexcept: to run out of memory half way through, CommitReserve and all, would leave half a batch, so the
/// process ends instead.
void MemoryEngine::apply(const WriteBatch& batch, Garbage& garbage) noexcept {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const WriteBatch::Change change = batch[i];
    switch (change.kind) {
      case WriteBatch::Kind::put:
        tree_.put(change.key, *change.value, garbage);
        break;
      case WriteBatch::Kind::erase:
        tree_.erase(change.key, garbage);
        break;
      case WriteBatch::Kind::erase_range:
        tree_.erase_range({change.key, change.end}, garbage);
        break;
      case WriteBatch::Kind::add:
        tree_.add(change.key, change.end, garbage);
        break;
    }
  }
}

Result<void> MemoryEngine::reset(const Snapshot& snapshot) {
  const auto* to = dynamic_cast<const MemorySnapshot*>(&snapshot);
  if (to == nullptr) {
    return base::Failure{Error{ErrorKind::unsupported, "the snapshot is one of another kind of engine"}};
  }
  Garbage garbage;
  {
    const std::unique_lock guard(lock_);
    tree_.become(to->tree(), garbage);
    age_.fetch_add(1);
  }
  reclaimer_->take(garbage);
  return {};
}

}  // namespace
}  // namespace memory

std::unique_ptr<Engine> make_memory_engine() {
  return std::make_unique<memory::MemoryEngine>(memory::Tree(), std::make_shared<memory::Reclaimer>());
}

}  // namespace dinette::kv
