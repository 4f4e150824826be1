#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "dinette/kv/engine.h"

#include "kv/durable/database.h"
#include "kv/durable/resident_copy.h"

namespace dinette::kv::durable {

/// The one way in which a database is written: batches that are handed in while another one is being written
/// are written together, so that they share one record of the log and one call of fsync. The resident copy
/// gets the same batches in the same order. Thread-safe.
///
/// On a thread that may not wait (base::may_wait), a commit fails with ErrorKind::would_block instead of
/// waiting for the disk.
class Commits {
 public:
  /// `sync`: a commit returns only when the disk has it.
  static Result<std::unique_ptr<Commits>> open(std::shared_ptr<const Database> database,
                                               ResidentCopy& resident, bool sync);

  /// Applies the whole batch, or on failure nothing of it. Returns what Engine::write() returns.
  Result<CommitNumber> commit(const WriteBatch& batch);

  /// Returns how many commits are being written or wait for that.
  std::size_t unfinished() const;

  /// Returns a mutex; while it is held, no commit is in progress.
  std::mutex& order() { return order_; }

 private:
  /// Whose turn it is to write a batch. Once it is `done`, its owner may be gone.
  enum class Turn { waits, leads, done };

  struct Waiting {
    const WriteBatch& batch;
    const bool may_wait;
    CommitNumber number = 0;
    Result<void> result = {};
    std::atomic<Turn> turn = Turn::waits;  ///< changed under mutex_
    bool sleeps = false;                   ///< guarded by mutex_
    std::condition_variable changed = {};
  };
  using Group = std::vector<Waiting*>;

  Commits(std::shared_ptr<const Database> database, ResidentCopy& resident, bool sync)
      : database_(std::move(database)), resident_(resident), sync_(sync) {}

  Turn await_turn(Waiting& self);
  static void give_turn(Waiting& one, Turn turn);
  void lead(const Group& group);
  Group next_group();
  Result<void> write(const Group& group);
  void say_failed(const Error& error);
  CommitNumber reserve(rocksdb::WriteBatch& batch) const;
  void finish(const Group& group, const Result<void>& result);

  const std::shared_ptr<const Database> database_;
  ResidentCopy& resident_;
  const bool sync_;

  mutable std::mutex mutex_;
  std::deque<Waiting*> queue_;  ///< guarded by mutex_; the first one writes for those that it took along

  std::mutex order_;
  bool has_failed_ = false;    ///< a write of the database; guarded by order_
  CommitNumber last_ = 0;      ///< guarded by order_
  CommitNumber reserved_ = 0;  ///< numbers up to here may be used: the database says so; guarded by order_
};

}  // namespace dinette::kv::durable
