#include "kv/model_engine.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "kv/limits.h"

namespace dinette::test {
namespace {

using namespace kv;
using Map = std::map<std::string, Value, std::less<>>;

class ModelCursor final : public Cursor {
 public:
  ModelCursor(std::shared_ptr<const Map> map, Range range)
      : map_(std::move(map)), begin_(map_->lower_bound(range.begin)), end_(map_->end()), at_(map_->end()) {
    if (range.end.empty()) return;
    end_ = map_->lower_bound(range.end);
    if (range.end < range.begin) end_ = begin_;
  }

  Result<bool> first() override { return go(begin_); }
  Result<bool> last() override { return before(end_); }
  Result<bool> seek(std::string_view key) override {
    const auto found = map_->lower_bound(key);
    return go(less(found, begin_) ? begin_ : found);
  }
  Result<bool> seek_for_previous(std::string_view key) override {
    const auto found = map_->upper_bound(key);
    return before(less(found, end_) ? found : end_);
  }
  Result<bool> next() override { return valid_ ? go(std::next(at_)) : false; }
  Result<bool> previous() override { return valid_ ? before(at_) : false; }

  bool valid() const override { return valid_; }
  std::string_view key() const override { return at_->first; }
  std::string_view value() const override { return at_->second.view(); }
  Value shared_value() const override { return at_->second; }

 private:
  using Position = Map::const_iterator;

  bool less(Position a, Position b) const {
    return a != map_->end() && (b == map_->end() || a->first < b->first);
  }
  bool go(Position position) {
    at_ = position;
    return valid_ = less(position, end_) && !less(position, begin_);
  }
  bool before(Position position) {
    if (!less(begin_, position)) return valid_ = false;
    return go(std::prev(position));
  }

  std::shared_ptr<const Map> map_;
  Position begin_;
  Position end_;
  Position at_;
  bool valid_ = false;
};

class ModelSnapshot final : public Snapshot {
 public:
  ModelSnapshot(const Map& map, CommitNumber last_commit)
      : map_(std::make_shared<const Map>(map)), last_commit_(last_commit) {}

  Result<std::optional<Value>> get(std::string_view key) const override {
    const auto found = map_->find(key);
    if (found == map_->end()) return std::optional<Value>();
    return std::optional<Value>(found->second);
  }
  Result<std::unique_ptr<Cursor>> cursor(Range range) const override {
    return std::unique_ptr<Cursor>(std::make_unique<ModelCursor>(map_, range));
  }
  const Map& map() const { return *map_; }
  CommitNumber last_commit() const { return last_commit_; }

 private:
  std::shared_ptr<const Map> map_;
  CommitNumber last_commit_;
};

class ModelTransaction final : public Transaction {
 public:
  explicit ModelTransaction(const Engine& engine) : engine_(engine) {}

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
  const Engine& engine_;
  WriteBatch batch_;
};

class ModelEngine final : public Engine {
 public:
  ModelEngine() = default;
  ModelEngine(const Map& map, CommitNumber last_commit) : map_(map), last_commit_(last_commit) {}

  Capabilities capabilities() const override { return {.may_block = true, .forks = true, .resets = true}; }

  Result<Values> get_many(std::span<const std::string_view> keys) const override {
    DINETTE_TRY(const auto now, snapshot());
    return now->get_many(keys);
  }
  Result<std::optional<Value>> get(std::string_view key) const override {
    const std::lock_guard guard(mutex_);
    const auto found = map_.find(key);
    if (found == map_.end()) return std::optional<Value>();
    return std::optional<Value>(found->second);
  }

  Result<std::shared_ptr<const Snapshot>> snapshot() const override {
    const std::lock_guard guard(mutex_);
    return std::shared_ptr<const Snapshot>(std::make_shared<ModelSnapshot>(map_, last_commit_));
  }

  Result<CommitNumber> write(const WriteBatch& batch) override {
    DINETTE_CHECK(check_limits(batch));
    const std::lock_guard guard(mutex_);
    const CommitNumber number = batch.in_commit_order() ? ++last_commit_ : 0;
    for (std::size_t i = 0; i < batch.size(); ++i) apply(batch[i], number);
    return number;
  }

  Result<CommitNumber> transact(const TransactionPlan& plan, Deadline deadline, Body body) override {
    const Turn turn(*this, !plan.locks.empty(), deadline);
    if (!turn.got()) {
      return base::Failure{Error{ErrorKind::timed_out, "another transaction is under way"}};
    }
    ModelTransaction transaction(*this);
    DINETTE_TRY(const Decision decision, body(transaction));
    if (decision == Decision::abandon) return CommitNumber{0};
    DINETTE_CHECK(transaction.batch().settle(transaction));
    return write(transaction.batch());
  }

  Result<std::unique_ptr<Engine>> fork() const override {
    const std::lock_guard guard(mutex_);
    return std::unique_ptr<Engine>(std::make_unique<ModelEngine>(map_, last_commit_));
  }

  Result<void> reset(const Snapshot& snapshot) override {
    // Waits for the transactions in progress, which is equivalent to running them again.
    const Turn turn(*this, true, std::chrono::steady_clock::now() + std::chrono::hours(1));
    const std::lock_guard guard(mutex_);
    const auto& to = dynamic_cast<const ModelSnapshot&>(snapshot);
    map_ = to.map();
    last_commit_ = std::max(last_commit_, to.last_commit());
    return {};
  }

 private:
  /// Makes the caller the only transaction. Not a std::timed_mutex, whose waits the thread sanitizer of g++
  /// 12 does not see.
  class Turn {
   public:
    Turn(ModelEngine& engine, bool wanted, Deadline deadline) : engine_(engine), wanted_(wanted) {
      if (!wanted) return;
      std::unique_lock guard(engine.turn_mutex_);
      got_ = engine.turn_over_.wait_until(guard, deadline, [&] { return !engine.taken_; });
      if (got_) engine.taken_ = true;
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
      if (!wanted_ || !got_) return;
      const std::lock_guard guard(engine_.turn_mutex_);
      engine_.taken_ = false;
      engine_.turn_over_.notify_one();
    }
    bool got() const { return !wanted_ || got_; }

   private:
    ModelEngine& engine_;
    bool wanted_;
    bool got_ = false;
  };

  void apply(const WriteBatch::Change& change, CommitNumber number) {
    const std::string key(change.key);
    switch (change.kind) {
      case WriteBatch::Kind::put:
        map_[key] = *change.value;
        break;
      case WriteBatch::Kind::put_in_commit_order:
        map_[key_in_commit_order(change, number)] = *change.value;
        break;
      case WriteBatch::Kind::erase:
        map_.erase(key);
        break;
      case WriteBatch::Kind::erase_range:
        std::erase_if(map_, [&](const auto& entry) {
          return Range{change.key, change.end}.contains(entry.first);
        });
        break;
      case WriteBatch::Kind::add:
        map_[key] = add_counters(map_[key], change.end);
        break;
    }
  }

  std::mutex turn_mutex_;
  std::condition_variable turn_over_;
  bool taken_ = false;  ///< guarded by turn_mutex_
  mutable std::mutex mutex_;
  Map map_;                       ///< guarded by mutex_
  CommitNumber last_commit_ = 0;  ///< guarded by mutex_
};

}  // namespace

std::unique_ptr<kv::Engine> make_model_engine() {
  return std::make_unique<ModelEngine>();
}

}  // namespace dinette::test
