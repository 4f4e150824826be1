#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>

#include "dinette/base/clock.h"
#include "dinette/kv/engine.h"

namespace dinette::store {

/// The recent past: snapshots taken before commits, a few of them over the time span to look back on.
/// Thread-safe. Engine and clock must outlive it.
class History {
 public:
  /// Looks back as far as `span`. Zero keeps nothing and costs nothing.
  History(const kv::Engine& engine, const base::Clock& clock, std::chrono::milliseconds span)
      : engine_(engine), clock_(clock), span_(span) {}

  /// A commit. Must live until the commit has taken place. Commits run one after the other, each at its own
  /// moment; no thread looks back in between.
  class Commit {
   public:
    explicit Commit(History& history) : history_(history) {}
    /// Must be called last in each run of the transaction: afterwards the thread must not wait for locks.
    kv::Result<void> begin();

   private:
    History& history_;
    std::unique_lock<std::mutex> order_;
  };

  /// Returns the data as they were at `moment`, or up to a sixteenth of the span earlier.
  kv::Result<std::shared_ptr<const kv::Snapshot>> at(base::TimePoint moment);

  void clear();

  /// Returns true if a commit has begun.
  bool has_commits() const { return has_commits_.load(std::memory_order_relaxed); }

 private:
  struct Past {
    base::TimePoint last_commit;  ///< before the snapshot; between this
    base::TimePoint moment;       ///< and this nothing changed
    std::shared_ptr<const kv::Snapshot> snapshot;
  };

  void forget();
  kv::Result<void> record(base::TimePoint now);
  void forget_before(base::TimePoint moment);
  std::shared_ptr<const kv::Snapshot> past_at(base::TimePoint moment) const;

  const kv::Engine& engine_;
  const base::Clock& clock_;
  const std::chrono::milliseconds span_;
  std::atomic<bool> has_commits_{false};
  std::mutex mutex_;
  std::deque<Past> past_;                                 ///< ascending; guarded by mutex_
  base::TimePoint last_commit_ = base::TimePoint::min();  ///< guarded by mutex_
};

}  // namespace dinette::store
