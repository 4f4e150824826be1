#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "dinette/kv/engine.h"

namespace test {

namespace kv = dinette::kv;

/// An engine over a memory engine that behaves as one on another machine would: each call is a round trip,
/// which it counts, others may write the same data, and a transaction reads only what it has declared. It
/// verifies read sets when it commits, by comparing values where a database compares versions. Thread-safe.
class RemoteEngine final : public kv::Engine {
 public:
  explicit RemoteEngine(std::shared_ptr<kv::Engine> engine) : engine_(std::move(engine)) {}

  /// Returns the round trips so far.
  int trips() const { return *trips_; }

  kv::Capabilities capabilities() const override {
    kv::Capabilities capabilities = engine_->capabilities();
    capabilities.may_block = capabilities.shared = true;
    return capabilities;
  }

  kv::Result<std::optional<kv::Value>> get(std::string_view key) const override {
    ++*trips_;
    return engine_->get(key);
  }
  kv::Result<kv::Values> get_many(std::span<const std::string_view> keys) const override {
    ++*trips_;
    return engine_->get_many(keys);
  }
  kv::Result<kv::ReadSet> read_set(std::span<const std::string_view> keys) const override {
    DINETTE_TRY(auto values, get_many(keys));
    const std::size_t count = values.size();
    return kv::ReadSet{std::move(values), std::vector<std::uint64_t>(count)};
  }
  kv::Result<std::shared_ptr<const kv::Snapshot>> snapshot() const override {
    DINETTE_TRY(auto snapshot, engine_->snapshot());
    return std::shared_ptr<const kv::Snapshot>(std::make_shared<RemoteSnapshot>(std::move(snapshot), trips_));
  }

  kv::Result<kv::CommitNumber> write(const kv::WriteBatch& batch) override {
    ++*trips_;
    return engine_->write(batch);
  }

  kv::Result<kv::CommitNumber> transact(const kv::TransactionPlan& plan, kv::Deadline deadline,
                                        Body body) override {
    const kv::ReadSet* read_set = plan.read_set;
    return engine_->transact(plan, deadline, [&](kv::Transaction& inner) -> kv::Result<kv::Decision> {
      DINETTE_TRY(const kv::Values current, inner.get_many(plan.reads));
      if (const auto* const known = std::exchange(read_set, nullptr)) {
        DINETTE_TRY(const kv::Decision decision, run(body, inner, plan.reads, known->values));
        if (decision == kv::Decision::abandon || known->values == current) return decision;
        inner.batch().clear();
      }
      if (!plan.reads.empty()) ++*trips_;
      return run(body, inner, plan.reads, current);
    });
  }

  kv::Result<std::unique_ptr<kv::Engine>> fork() const override {
    DINETTE_TRY(auto fork, engine_->fork());
    return std::unique_ptr<kv::Engine>(std::make_unique<RemoteEngine>(std::move(fork)));
  }
  kv::Result<void> reset(const kv::Snapshot& snapshot) override {
    return engine_->reset(dynamic_cast<const RemoteSnapshot&>(snapshot).inner());
  }

 private:
  using Trips = std::shared_ptr<std::atomic<int>>;

  class RemoteSnapshot final : public kv::Snapshot {
   public:
    RemoteSnapshot(std::shared_ptr<const kv::Snapshot> inner, Trips trips)
        : inner_(std::move(inner)), trips_(std::move(trips)) {}

    kv::Result<std::optional<kv::Value>> get(std::string_view key) const override {
      ++*trips_;
      return inner_->get(key);
    }
    kv::Result<kv::Values> get_many(std::span<const std::string_view> keys) const override {
      ++*trips_;
      return inner_->get_many(keys);
    }
    kv::Result<std::unique_ptr<kv::Cursor>> cursor(kv::Range range) const override {
      ++*trips_;
      return inner_->cursor(range);
    }
    const kv::Snapshot& inner() const { return *inner_; }

   private:
    std::shared_ptr<const kv::Snapshot> inner_;
    Trips trips_;
  };

  /// Answers what was declared from what was fetched, and nothing else.
  class RemoteTransaction final : public kv::Transaction {
   public:
    RemoteTransaction(kv::Transaction& inner, Trips trips, std::span<const std::string_view> declared,
                      const kv::Values& fetched)
        : inner_(inner), trips_(std::move(trips)), declared_(declared), fetched_(fetched) {}

    kv::Result<std::optional<kv::Value>> get(std::string_view key) const override {
      const auto found = std::ranges::find(declared_, key);
      if (found == declared_.end())
        return dinette::base::Failure{kv::Error{kv::ErrorKind::unsupported, "a read that was not declared"}};
      return fetched_[static_cast<std::size_t>(found - declared_.begin())];
    }
    kv::Result<kv::Values> get_many(std::span<const std::string_view> keys) const override {
      kv::Values values;
      for (const std::string_view key : keys) {
        DINETTE_TRY(auto value, get(key));
        values.push_back(std::move(value));
      }
      return values;
    }
    /// Ranges cannot be declared.
    kv::Result<std::unique_ptr<kv::Cursor>> cursor(kv::Range range) const override {
      ++*trips_;
      return inner_.cursor(range);
    }
    kv::WriteBatch& batch() override { return inner_.batch(); }

   private:
    kv::Transaction& inner_;
    Trips trips_;
    std::span<const std::string_view> declared_;
    const kv::Values& fetched_;
  };

  kv::Result<kv::Decision> run(Body body, kv::Transaction& inner, std::span<const std::string_view> declared,
                               const kv::Values& fetched) const {
    RemoteTransaction transaction(inner, trips_, declared, fetched);
    DINETTE_TRY(const kv::Decision decision, body(transaction));
    if (decision == kv::Decision::commit) ++*trips_;
    return decision;
  }

  std::shared_ptr<kv::Engine> engine_;
  Trips trips_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace test
