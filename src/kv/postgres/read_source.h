#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kv/postgres/calls.h"
#include "kv/postgres/shared_flushes.h"

/// Where reads are executed.
namespace dinette::kv::postgres {

/// Executes statements that only read, one round trip each. On a thread that may not wait (base::may_wait)
/// they fail with ErrorKind::would_block. Thread-safe, unless a class says otherwise.
class ReadSource {
 public:
  ReadSource() = default;
  ReadSource(const ReadSource&) = delete;
  ReadSource& operator=(const ReadSource&) = delete;
  virtual ~ReadSource() = default;

  virtual Result<Rows> read(Statement statement, const Parameters& parameters) const = 0;
};

/// Fails with would_block on a thread that may not wait.
Result<void> require_waiting();

/// Reads what is committed, on any connection; several threads at once share one. On an event loop it begins
/// the read (pending_reads.h). A read that loses its
/// connection is repeated on another.
class LatestSource final : public ReadSource {
 public:
  explicit LatestSource(std::shared_ptr<Pool> pool) : pool_(std::move(pool)), flushes_(pool_) {}

  Result<Rows> read(Statement statement, const Parameters& parameters) const override;

 private:
  const std::shared_ptr<Pool> pool_;
  mutable SharedFlushes flushes_;
};

/// Reads the state of one moment, in a transaction of its own, for which it keeps a connection.
class SnapshotSource final : public ReadSource {
 public:
  /// Takes a snapshot of `world` (and of all others): no commit in commit order is half visible in it, or
  /// missing below another.
  static Result<std::shared_ptr<const SnapshotSource>> take(std::shared_ptr<Pool> pool, std::int64_t world);
  /// The same at the first read, in whose round trip it is, but a commit in commit order may be missing below
  /// another: for reads of what is not in commit order.
  static std::shared_ptr<const SnapshotSource> take_at_first_read(std::shared_ptr<Pool> pool,
                                                                  std::int64_t world);
  ~SnapshotSource() override;

  Result<Rows> read(Statement statement, const Parameters& parameters) const override;
  /// Executes one statement without parameters in the transaction of the snapshot.
  Result<void> execute(std::string_view text, Deadline deadline) const;
  /// Commits what was executed.
  Result<void> commit(Deadline deadline) const;

 private:
  SnapshotSource(std::shared_ptr<Pool> pool, std::int64_t world) : pool_(std::move(pool)), world_(world) {}

  /// Takes the snapshot, and returns what `first` returns, a read in the same flush; nothing without one.
  /// With mutex_ held.
  Result<std::optional<Rows>> begin(const Call* first) const;

  const std::shared_ptr<Pool> pool_;
  const std::int64_t world_;
  mutable std::mutex mutex_;
  mutable std::optional<Pool::Lease> connection_;  ///< nothing before it was taken; guarded by mutex_
  mutable bool ended_ = false;                     ///< guarded by mutex_
};

/// Reads in an open transaction, what is committed at that moment. Belongs to one thread at a time.
class TransactionSource final : public ReadSource {
 public:
  TransactionSource(Connection& connection, Deadline deadline)
      : connection_(&connection), deadline_(deadline) {}

  Result<Rows> read(Statement statement, const Parameters& parameters) const override;
  /// To be called before the connection is used for something else. Reads fail from now on.
  void end() { connection_ = nullptr; }
  /// Returns the error of a read that has ended the transaction.
  const std::optional<SqlError>& failure() const { return failure_; }

 private:
  Connection* connection_;
  const Deadline deadline_;
  mutable std::optional<SqlError> failure_;
};

}  // namespace dinette::kv::postgres
