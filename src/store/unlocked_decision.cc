#include "store/unlocked_decision.h"

#include <utility>

#include "dinette/base/waiting.h"
#include "dinette/store/store.h"

namespace dinette::store {

void UnlockedDecision::make_on(std::span<FoundRow> rows) {
  using Clock = std::chrono::steady_clock;
  const bool first = times_made_++ == 0;  // not timed: it rarely has to be repeated
  const auto start = first ? Clock::time_point() : Clock::now();
  made_ = false;  // in case decide_ throws
  std::ranges::move(rows, rows_.begin());
  if (!first) std::ranges::fill(changes_, RowChange());
  commits_ = decide_(Rows(rows_), changes_);
  made_ = true;
  slow_ = !first && Clock::now() - start >= quick_;
}

bool UnlockedDecision::may_lock() const {
  if (times_made_ < 2) return false;
  return !slow_ || (base::may_wait() && times_made_ >= most_unlocked_decisions);
}

bool UnlockedDecision::may_repeat() const {
  return times_made_ < 2 || base::may_wait();
}

}  // namespace dinette::store
