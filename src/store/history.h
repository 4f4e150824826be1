#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>

#include "dinette/base/clock.h"
#include "dinette/kv/engine.h"

namespace dinette::store {

/// What everything was like a short while ago: snapshots from before commits, a few of them over the time
/// that is to be looked back on. Thread-safe; engine and clock must outlive it.
class History {
 public:
  /// Looks back as far as `span`; zero keeps nothing and costs nothing.
  History(const kv::Engine& engine, const base::Clock& clock, std::chrono::milliseconds span)
      : engine_(engine), clock_(clock), span_(span) {}

  /// A commit, which is to live until it has taken place. Commits come one after the other, each at its
  /// moment; nobody looks back in between.
  class Commit {
   public:
    explicit Commit(History& history) : history_(history) {}
    /// To be called last in the transaction, in each of its runs: who has come so far waits for nobody's
    /// locks any more.
    kv::Result<void> begin();

   private:
    History& history_;
    std::unique_lock<std::mutex> order_;
  };

  /// Everything as it was at `moment`, or up to a sixteenth of the span earlier.
  kv::Result<std::shared_ptr<const kv::Snapshot>> at(base::TimePoint moment);

  void clear();

 private:
  struct Past {
    base::TimePoint last_commit;  ///< before the snapshot: from then until
    base::TimePoint moment;       ///< this nothing changed
    std::shared_ptr<const kv::Snapshot> snapshot;
  };

  kv::Result<void> record(base::TimePoint now);
  void forget_before(base::TimePoint moment);
  std::shared_ptr<const kv::Snapshot> past_at(base::TimePoint moment) const;

  const kv::Engine& engine_;
  const base::Clock& clock_;
  const std::chrono::milliseconds span_;
  std::mutex mutex_;
  std::deque<Past> past_;                                 ///< ascending; guarded by mutex_
  base::TimePoint last_commit_ = base::TimePoint::min();  ///< guarded by mutex_
};

}  // namespace dinette::store
