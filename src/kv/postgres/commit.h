#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "dinette/kv/engine.h"

#include "kv/postgres/folded_batch.h"
#include "kv/postgres/locks.h"
#include "kv/postgres/pool.h"

namespace dinette::kv::postgres {

/// The keys that a commit requires to be as they were when they were read.
struct Verification {
  std::span<const std::string_view> keys;
  std::span<const std::uint64_t> digests;
};

/// What a commit consists of, besides its batch.
struct CommitPlan {
  std::int64_t world = 0;
  /// The transaction has begun, and has the locks. Otherwise the flush is a transaction by itself.
  bool begun = false;
  const LockSet* locks = nullptr;          ///< to acquire; null for none
  std::span<const Lock> named_locks = {};  ///< the same, by their names
  Deadline lock_deadline{};                ///< for these
  std::optional<Verification> verification = std::nullopt;
  /// No other commit of the world may be under way: for batches that erase without locks, and after
  /// deadlocks.
  bool alone = false;
  /// Added to the number of the part that counters grow in, after one became too large.
  std::int32_t next_part = 0;
  /// The number that the batch was folded with, if it was.
  CommitNumber number = 0;
  /// Keys that are known to have no parts of counters.
  const std::unordered_set<std::string_view>* plain_keys = nullptr;
};

/// How an attempt to commit ended.
struct CommitAttempt {
  enum class End : std::uint8_t {
    committed,
    changed,   ///< the verification failed: nothing was done
    conflict,  ///< nothing was done; may succeed alone
    overflow,  ///< nothing was done; may succeed with another part
    again,     ///< nothing was done, because of the connection
    failed,
  };

  End end = End::committed;
  CommitNumber number = 0;
  std::optional<Error> error = std::nullopt;  ///< unless committed
};

/// Commits `batch`, which is also given as `folded`: in one round trip, or in two if it needs its number
/// first. If the connection ends before the answer, finds out whether the commit took place. Waits for
/// `plan.lock_deadline` and the pool's patience at most.
CommitAttempt commit_batch(Pool& pool, Connection& connection, CommitPlan plan, const WriteBatch& batch,
                           const FoldedBatch& folded);

/// Returns what an error means that comes before the flush that commits: nothing was done. Ends the
/// transaction.
CommitAttempt before_commit(Connection& connection, const SqlError& error);

/// Returns true if the batch must be committed alone: what a commit that has not ended inserts is not seen by
/// one that erases it, so that, without locks, each could have a part of the other. A range needs no more if
/// the transaction holds an exclusive lock whose name all its keys begin with: writers of such keys hold it
/// as well, shared. The store names the locks of tables so.
bool must_be_alone(const FoldedBatch& batch, std::span<const Lock> locks);

/// Changes `plan` for the attempt after `attempt`, which was number `attempts`, and waits a little. Returns
/// false if there is to be none.
bool prepare_next(CommitPlan& plan, const CommitAttempt& attempt, int attempts, Deadline deadline);

/// Adds statements that acquire the locks, and bound all waits of the transaction for locks.
void add_locks(Connection& connection, const LockSet& locks, Deadline deadline);

/// Ends the transaction on `connection` without its changes.
void roll_back(Connection& connection);

}  // namespace dinette::kv::postgres
