#include "store/history.h"

#include <algorithm>
#include <utility>

namespace dinette::store {

kv::Result<void> History::before_write() {
  constexpr int snapshots_a_span = 16;
  if (span_ == std::chrono::milliseconds::zero()) return {};
  const std::lock_guard guard(mutex_);
  const base::TimePoint now = clock_.now();
  const base::TimePoint last_write = std::exchange(last_write_, now);
  if (!past_.empty() && now < past_.back().moment) past_.clear();  // the clock was set back
  if (!past_.empty() && now - past_.back().moment < span_ / snapshots_a_span) return {};
  forget_before(now - span_);
  DINETTE_TRY(auto snapshot, engine_.snapshot());
  past_.push_back({last_write, now, std::move(snapshot)});
  return {};
}

std::shared_ptr<const kv::Snapshot> History::at(base::TimePoint moment) const {
  const std::lock_guard guard(mutex_);
  if (moment >= last_write_ || past_.empty()) return nullptr;
  const auto next = std::ranges::upper_bound(past_, moment, {}, &Past::moment);
  if (next == past_.begin()) return next->snapshot;
  const bool unchanged = next != past_.end() && next->last_write <= moment;
  return unchanged ? next->snapshot : std::prev(next)->snapshot;
}

void History::clear() {
  const std::lock_guard guard(mutex_);
  past_.clear();
  last_write_ = base::TimePoint::min();
}

/// All but the last one that is as old: it is what that moment looked like.
void History::forget_before(base::TimePoint moment) {
  while (past_.size() > 1 && past_[1].moment <= moment) past_.pop_front();
}

}  // namespace dinette::store
