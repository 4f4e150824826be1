#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>

#include "dinette/base/clock.h"
#include "dinette/kv/engine.h"

namespace dinette::store {

/// What everything was like a short while ago: snapshots from before writes, a few of them over the time that
/// is to be looked back on. Thread-safe; engine and clock must outlive it.
class History {
 public:
  /// Looks back as far as `span`; zero keeps nothing and costs nothing.
  History(const kv::Engine& engine, const base::Clock& clock, std::chrono::milliseconds span)
      : engine_(engine), clock_(clock), span_(span) {}

  /// To be called before each write.
  kv::Result<void> before_write();

  /// Everything as it was at `moment`, or up to a sixteenth of the span earlier; null when nothing has been
  /// written since, so that the present will do.
  std::shared_ptr<const kv::Snapshot> at(base::TimePoint moment) const;

  void clear();

 private:
  struct Past {
    base::TimePoint last_write;  ///< before the snapshot: from then until
    base::TimePoint moment;      ///< this nothing changed
    std::shared_ptr<const kv::Snapshot> snapshot;
  };

  void forget_before(base::TimePoint moment);

  const kv::Engine& engine_;
  const base::Clock& clock_;
  const std::chrono::milliseconds span_;
  mutable std::mutex mutex_;
  std::deque<Past> past_;                                ///< ascending; guarded by mutex_
  base::TimePoint last_write_ = base::TimePoint::min();  ///< guarded by mutex_
};

}  // namespace dinette::store
