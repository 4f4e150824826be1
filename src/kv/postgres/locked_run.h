#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_set>

#include "dinette/kv/engine.h"

#include "kv/postgres/commit.h"
#include "kv/postgres/read_source.h"
#include "kv/postgres/transaction.h"

namespace dinette::kv::postgres {

/// One run of the body of a transaction under its locks: one round trip acquires them and reads what is
/// declared, the body decides, one round trip commits. Rolls back unless it commits.
class LockedRun {
 public:
  LockedRun(Pool& pool, Connection& connection, std::int64_t world, const TransactionPlan& plan,
            const LockSet& locks)
      : pool_(pool), connection_(connection), world_(world), plan_(plan), locks_(locks) {}
  LockedRun(const LockedRun&) = delete;
  LockedRun& operator=(const LockedRun&) = delete;
  ~LockedRun();

  /// Runs it, once. `commit` says how to commit. An abandoned transaction counts as a commit without a
  /// number.
  CommitAttempt run(Engine::Body body, CommitPlan commit, Deadline deadline);

 private:
  SqlResult<DeclaredReads> begin(Deadline deadline);
  CommitAttempt stopped(const SqlError& error);
  /// Runs the body, and finds out which of its conditions hold.
  static Result<Decision> decide(Engine::Body body, LockedTransaction& transaction);
  CommitAttempt commit(CommitPlan plan, const WriteBatch& batch);

  Pool& pool_;
  Connection& connection_;
  const std::int64_t world_;
  const TransactionPlan& plan_;
  const LockSet& locks_;
  std::unordered_set<std::string_view> plain_keys_;
  std::shared_ptr<TransactionSource> source_;
  bool open_ = false;  ///< a transaction is, which has not been committed or rolled back
};

}  // namespace dinette::kv::postgres
