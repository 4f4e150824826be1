#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "dinette/base/scoped_value.h"

namespace dinette::base {

/// Something that a request has to wait for, while no thread does.
class Pending {
 public:
  Pending() = default;
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;
  virtual ~Pending() = default;

  /// Has `resume` called once it is due, from any thread, perhaps from this call. `resume` does no harm when
  /// the connection, or the server, is gone.
  virtual void when_due(std::function<void()> resume) = 0;
};

/// What a request has begun where it was not allowed to wait (base::may_wait). It then fails, is run again
/// when that is due, and finds the results here. For one thread at a time.
class PendingWork {
 public:
  /// Keeps one for the next run.
  void add(std::shared_ptr<Pending> one) { begun_.push_back(std::move(one)); }

  /// Returns one that was begun and not yet returned by this function, or null.
  std::shared_ptr<Pending> next_to_await() { return awaited_ < begun_.size() ? begun_[awaited_++] : nullptr; }

  /// Notes that the request will have to wait where it next runs (base::may_wait), as it is going to write.
  void require_waiting() { needs_waiting_ = true; }
  bool needs_waiting() const { return needs_waiting_; }

  /// All that was begun.
  std::vector<std::shared_ptr<Pending>>& begun() { return begun_; }

  void clear() {
    begun_.clear();
    awaited_ = 0;
    needs_waiting_ = false;
  }

 private:
  std::vector<std::shared_ptr<Pending>> begun_;
  std::size_t awaited_ = 0;
  bool needs_waiting_ = false;
};

namespace detail {
inline thread_local PendingWork* pending_work = nullptr;
}

/// Returns that of the request that this thread runs, or null if nothing would run it again.
inline PendingWork* pending_work() {
  return detail::pending_work;
}

/// Makes `work` that of this thread for its lifetime.
class PendingWorkScope : ScopedValue<PendingWork*> {
 public:
  explicit PendingWorkScope(PendingWork& work) : ScopedValue(detail::pending_work, &work) {}
};

}  // namespace dinette::base
