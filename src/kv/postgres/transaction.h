#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dinette/kv/engine.h"

#include "kv/postgres/reads.h"

/// What the bodies of transactions read from and write to.
namespace dinette::kv::postgres {

/// Values at the keys that a transaction has declared. Views the keys.
class DeclaredReads {
 public:
  DeclaredReads() = default;
  DeclaredReads(std::span<const std::string_view> keys, Values values);

  /// Returns the value at a declared key; null if the key is not declared.
  const std::optional<Value>* find(std::string_view key) const;

 private:
  std::unordered_map<std::string_view, std::size_t> indexes_;
  Values values_;
};

/// Answers from a read set, without locks. A body that reads anything else fails, and has to run under them.
class OptimisticTransaction final : public Transaction {
 public:
  explicit OptimisticTransaction(DeclaredReads reads) : reads_(std::move(reads)) {}

  Result<std::optional<Value>> get(std::string_view key) const override;
  Result<Values> get_many(std::span<const std::string_view> keys) const override;
  Result<std::unique_ptr<Cursor>> cursor(Range range) const override;
  WriteBatch& batch() override { return batch_; }

  bool needs_locks() const { return needs_locks_; }

 private:
  base::Failure<Error> must_lock() const;

  const DeclaredReads reads_;
  mutable bool needs_locks_ = false;
  WriteBatch batch_;
};

/// Reads in an open transaction that has the locks.
class LockedTransaction final : public Transaction {
 public:
  LockedTransaction(std::shared_ptr<TransactionSource> source, std::int64_t world, DeclaredReads reads)
      : source_(std::move(source)), world_(world), reads_(std::move(reads)) {}

  Result<std::optional<Value>> get(std::string_view key) const override;
  Result<Values> get_many(std::span<const std::string_view> keys) const override;
  Result<std::unique_ptr<Cursor>> cursor(Range range) const override;
  WriteBatch& batch() override { return batch_; }

 private:
  const std::shared_ptr<TransactionSource> source_;
  const std::int64_t world_;
  const DeclaredReads reads_;
  WriteBatch batch_;
};

}  // namespace dinette::kv::postgres
