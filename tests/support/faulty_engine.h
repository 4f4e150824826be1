#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "dinette/kv/engine.h"

namespace dinette::test {

/// The calls of an engine that can be made to fail.
enum class EngineCall { get, snapshot, commit, cursor_move };

/// When which call fails with what. Shared by an engine and everything it hands out.
class FaultPlan {
 public:
  /// The `nth` call of that kind from now on fails, once; 1 is the next one.
  void fail(EngineCall call, int nth, kv::ErrorKind kind) {
    const std::lock_guard guard(mutex_);
    call_ = call;
    calls_left_ = nth;
    kind_ = kind;
  }
  /// Returns true if the planned failure has happened.
  bool spent() const {
    const std::lock_guard guard(mutex_);
    return calls_left_ == 0;
  }
  /// Returns how many calls there were, of any kind.
  int calls() const {
    const std::lock_guard guard(mutex_);
    return calls_;
  }
  /// Counts one call; fails when it is the one.
  kv::Result<void> pass(EngineCall call) {
    const std::lock_guard guard(mutex_);
    ++calls_;
    if (calls_left_ == 0 || call != call_ || --calls_left_ > 0) return {};
    return base::Failure{kv::Error{kind_, "an injected failure"}};
  }

 private:
  mutable std::mutex mutex_;
  EngineCall call_ = EngineCall::get;
  int calls_left_ = 0;
  int calls_ = 0;
  kv::ErrorKind kind_ = kv::ErrorKind::io;
};

/// Any engine, failing on cue. A failed commit leaves nothing. It can also run every transaction twice,
/// dropping what the first run decided, as engines do after a conflict: code that keeps something from the
/// first run is found out. Like a remote engine, it fetches what a transaction declares to read all at once.
class FaultyEngine final : public kv::Engine {
 public:
  explicit FaultyEngine(std::shared_ptr<kv::Engine> engine) : engine_(std::move(engine)) {}

  FaultPlan& plan() { return *plan_; }
  void run_transactions_twice(bool twice) { twice_ = twice; }
  /// What the engine says of itself from now on, be it true or not.
  void declare(kv::Capabilities capabilities) { declared_ = capabilities; }
  /// Called by every transaction before it waits for its locks, with the time until which it may. To be set
  /// while there is none.
  void before_transactions(std::function<void(kv::Deadline)> callback) { before_ = std::move(callback); }
  /// Called by every transaction when it has got its locks, which it holds until the callback returns. To be
  /// set while there is none.
  void inside_transactions(std::function<void()> callback) { inside_ = std::move(callback); }

  kv::Capabilities capabilities() const override { return declared_.value_or(engine_->capabilities()); }

  kv::Result<std::optional<kv::Value>> get(std::string_view key) const override {
    DINETTE_CHECK(plan_->pass(EngineCall::get));
    return engine_->get(key);
  }
  kv::Result<kv::Values> get_many(std::span<const std::string_view> keys) const override {
    DINETTE_CHECK(plan_->pass(EngineCall::get));
    return engine_->get_many(keys);
  }

  kv::Result<std::shared_ptr<const kv::Snapshot>> snapshot() const override {
    DINETTE_CHECK(plan_->pass(EngineCall::snapshot));
    DINETTE_TRY(auto snapshot, engine_->snapshot());
    return std::shared_ptr<const kv::Snapshot>(std::make_shared<FaultySnapshot>(std::move(snapshot), plan_));
  }

  kv::Result<kv::CommitNumber> write(const kv::WriteBatch& batch) override {
    DINETTE_CHECK(plan_->pass(EngineCall::commit));
    return engine_->write(batch);
  }

  kv::Result<kv::CommitNumber> transact(const kv::TransactionPlan& plan, kv::Deadline deadline,
                                        Body body) override {
    if (const auto before = before_) before(deadline);  // a copy: it may set another one
    return engine_->transact(plan, deadline, [&](kv::Transaction& inner) -> kv::Result<kv::Decision> {
      if (inside_) inside_();
      DINETTE_TRY(kv::Values fetched, inner.get_many(plan.reads));
      FaultyTransaction transaction(inner, plan_, plan.reads, std::move(fetched));
      if (twice_) {
        DINETTE_CHECK(body(transaction));
        transaction.batch().clear();
      }
      DINETTE_TRY(const kv::Decision decision, body(transaction));
      if (decision == kv::Decision::commit) DINETTE_CHECK(plan_->pass(EngineCall::commit));
      return decision;
    });
  }

  kv::Result<std::unique_ptr<kv::Engine>> fork() const override {
    DINETTE_TRY(auto fork, engine_->fork());
    return std::unique_ptr<kv::Engine>(std::make_unique<FaultyEngine>(std::move(fork)));
  }

  kv::Result<void> reset(const kv::Snapshot& snapshot) override {
    return engine_->reset(*dynamic_cast<const FaultySnapshot&>(snapshot).inner());
  }

 private:
  using Plan = std::shared_ptr<FaultPlan>;

  class FaultyCursor final : public kv::Cursor {
   public:
    FaultyCursor(std::unique_ptr<kv::Cursor> inner, Plan plan)
        : inner_(std::move(inner)), plan_(std::move(plan)) {}

    kv::Result<bool> first() override {
      return moved([&] { return inner_->first(); });
    }
    kv::Result<bool> last() override {
      return moved([&] { return inner_->last(); });
    }
    kv::Result<bool> seek(std::string_view key) override {
      return moved([&] { return inner_->seek(key); });
    }
    kv::Result<bool> seek_for_previous(std::string_view key) override {
      return moved([&] { return inner_->seek_for_previous(key); });
    }
    kv::Result<bool> next() override {
      return moved([&] { return inner_->next(); });
    }
    kv::Result<bool> previous() override {
      return moved([&] { return inner_->previous(); });
    }
    bool valid() const override { return !failed_ && inner_->valid(); }
    std::string_view key() const override { return inner_->key(); }
    std::string_view value() const override { return inner_->value(); }
    kv::Value shared_value() const override { return inner_->shared_value(); }

   private:
    template <class Move>
    kv::Result<bool> moved(Move move) {
      failed_ = true;
      DINETTE_CHECK(plan_->pass(EngineCall::cursor_move));
      failed_ = false;
      return move();
    }

    std::unique_ptr<kv::Cursor> inner_;
    Plan plan_;
    bool failed_ = false;
  };

  static kv::Result<std::unique_ptr<kv::Cursor>> faulty(kv::Result<std::unique_ptr<kv::Cursor>> made,
                                                        const Plan& plan) {
    DINETTE_TRY(auto cursor, std::move(made));
    return std::unique_ptr<kv::Cursor>(std::make_unique<FaultyCursor>(std::move(cursor), plan));
  }

  class FaultySnapshot final : public kv::Snapshot {
   public:
    FaultySnapshot(std::shared_ptr<const kv::Snapshot> inner, Plan plan)
        : inner_(std::move(inner)), plan_(std::move(plan)) {}

    kv::Result<std::optional<kv::Value>> get(std::string_view key) const override {
      DINETTE_CHECK(plan_->pass(EngineCall::get));
      return inner_->get(key);
    }
    kv::Result<kv::Values> get_many(std::span<const std::string_view> keys) const override {
      DINETTE_CHECK(plan_->pass(EngineCall::get));
      return inner_->get_many(keys);
    }
    kv::Result<std::unique_ptr<kv::Cursor>> cursor(kv::Range range) const override {
      return faulty(inner_->cursor(range), plan_);
    }
    const std::shared_ptr<const kv::Snapshot>& inner() const { return inner_; }

   private:
    std::shared_ptr<const kv::Snapshot> inner_;
    Plan plan_;
  };

  class FaultyTransaction final : public kv::Transaction {
   public:
    FaultyTransaction(kv::Transaction& inner, Plan plan, std::span<const std::string_view> declared,
                      kv::Values fetched)
        : inner_(inner), plan_(std::move(plan)), declared_(declared), fetched_(std::move(fetched)) {}

    kv::Result<std::optional<kv::Value>> get(std::string_view key) const override {
      DINETTE_CHECK(plan_->pass(EngineCall::get));
      const auto found = std::ranges::find(declared_, key);
      if (found != declared_.end()) return fetched_[static_cast<std::size_t>(found - declared_.begin())];
      return inner_.get(key);
    }
    kv::Result<kv::Values> get_many(std::span<const std::string_view> keys) const override {
      DINETTE_CHECK(plan_->pass(EngineCall::get));
      return inner_.get_many(keys);
    }
    kv::Result<std::unique_ptr<kv::Cursor>> cursor(kv::Range range) const override {
      return faulty(inner_.cursor(range), plan_);
    }
    kv::WriteBatch& batch() override { return inner_.batch(); }

   private:
    kv::Transaction& inner_;
    Plan plan_;
    std::span<const std::string_view> declared_;
    kv::Values fetched_;  ///< one per declared read
  };

  std::shared_ptr<kv::Engine> engine_;
  Plan plan_ = std::make_shared<FaultPlan>();
  std::atomic<bool> twice_{false};
  std::optional<kv::Capabilities> declared_;
  std::function<void(kv::Deadline)> before_;
  std::function<void()> inside_;
};

}  // namespace dinette::test
