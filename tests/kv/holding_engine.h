#pragma once

#include <memory>
#include <utility>

#include "dinette/kv/engine.h"

namespace dinette::test {

/// An engine that keeps something else alive.
class HoldingEngine final : public kv::Engine {
 public:
  HoldingEngine(std::shared_ptr<void> held, std::shared_ptr<kv::Engine> engine)
      : held_(std::move(held)), engine_(std::move(engine)) {}

  kv::Capabilities capabilities() const override { return engine_->capabilities(); }
  kv::Result<std::optional<kv::Value>> get(std::string_view key) const override { return engine_->get(key); }
  kv::Result<kv::Values> get_many(std::span<const std::string_view> keys) const override {
    return engine_->get_many(keys);
  }
  kv::Result<kv::ReadSet> read_set(std::span<const std::string_view> keys) const override {
    return engine_->read_set(keys);
  }
  kv::Result<std::shared_ptr<const kv::Snapshot>> snapshot() const override { return engine_->snapshot(); }
  kv::Result<std::shared_ptr<const kv::Snapshot>> snapshot_at_first_read() const override {
    return engine_->snapshot_at_first_read();
  }
  kv::Result<kv::CommitNumber> write(const kv::WriteBatch& batch) override { return engine_->write(batch); }
  kv::Result<kv::CommitNumber> transact(const kv::TransactionPlan& plan, kv::Deadline deadline,
                                        Body body) override {
    return engine_->transact(plan, deadline, body);
  }
  kv::Result<std::unique_ptr<kv::Engine>> fork() const override {
    DINETTE_TRY(auto fork, engine_->fork());
    return std::unique_ptr<kv::Engine>(std::make_unique<HoldingEngine>(held_, std::move(fork)));
  }
  kv::Result<void> reset(const kv::Snapshot& snapshot) override { return engine_->reset(snapshot); }

 private:
  std::shared_ptr<void> held_;  ///< destroyed after the engine
  std::shared_ptr<kv::Engine> engine_;
};

}  // namespace dinette::test
