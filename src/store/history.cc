#include "store/history.h"

#include <algorithm>
#include <utility>

namespace dinette::store {

kv::Result<void> History::Commit::begin() {
  // Written once only, since other threads read it.
  if (!history_.has_commits()) history_.has_commits_.store(true, std::memory_order_relaxed);
  if (history_.span_ == std::chrono::milliseconds::zero()) return {};
  if (!order_.owns_lock()) order_ = std::unique_lock(history_.mutex_);
  return history_.record(history_.clock_.now());
}

kv::Result<std::shared_ptr<const kv::Snapshot>> History::at(base::TimePoint moment) {
  const std::lock_guard guard(mutex_);
  const base::TimePoint now = clock_.now();
  if (now < last_commit_) forget();  // the clock was set back
  forget_before(now - span_);
  if (auto past = past_at(moment)) return past;
  return engine_.snapshot();
}

void History::clear() {
  const std::lock_guard guard(mutex_);
  forget();
}

void History::forget() {
  past_.clear();
  last_commit_ = base::TimePoint::min();
}

kv::Result<void> History::record(base::TimePoint now) {
  constexpr int snapshots_a_span = 16;
  if (now < last_commit_) forget();  // the clock was set back
  if (past_.empty() || now - past_.back().moment >= span_ / snapshots_a_span) {
    forget_before(now - span_);
    DINETTE_TRY(auto snapshot, engine_.snapshot());
    past_.push_back({last_commit_, now, std::move(snapshot)});
  }
  last_commit_ = now;
  return {};
}

/// Forgets the snapshots that no look back to `moment` or later needs.
void History::forget_before(base::TimePoint moment) {
  if (last_commit_ <= moment) past_.clear();
  while (past_.size() > 1 && past_[1].last_commit <= moment) past_.pop_front();
}

/// Returns null if nothing has been committed since, so that the present is right.
std::shared_ptr<const kv::Snapshot> History::past_at(base::TimePoint moment) const {
  if (moment >= last_commit_ || past_.empty()) return nullptr;
  const auto next = std::ranges::upper_bound(past_, moment, {}, &Past::moment);
  if (next == past_.begin()) return next->snapshot;
  const bool unchanged = next != past_.end() && next->last_commit <= moment;
  return unchanged ? next->snapshot : std::prev(next)->snapshot;
}

}  // namespace dinette::store
