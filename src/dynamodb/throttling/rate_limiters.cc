#include "dynamodb/throttling/rate_limiters.h"

#include <algorithm>
#include <iterator>

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb::throttling {
namespace {

/// Sweeping fewer is not worth it.
constexpr std::size_t least_sweep = 64;

/// std::erase_if shows its values only as constants.
template <class Map, class Condition>
void erase_values_if(Map& map, Condition condition) {
  for (auto entry = map.begin(); entry != map.end();)
    entry = condition(entry->second) ? map.erase(entry) : std::next(entry);
}

}  // namespace

std::optional<Limit> RateLimiters::exceeded(const TableOrIndex& of, const RateLimits& limits, Axis axis,
                                            double least, base::TimePoint now) {
  const std::lock_guard guard(mutex_);
  return limiter(of, limits, now).exceeded(axis, least);
}

bool RateLimiters::admit_partition(const TableOrIndex& of, const RateLimits& limits,
                                   store::PartitionHash hash, Axis axis, double least, base::TimePoint now) {
  const std::lock_guard guard(mutex_);
  return limiter(of, limits, now).admit_partition(hash, axis, least, now);
}

void RateLimiters::take(const TableOrIndex& of, const RateLimits& limits, store::PartitionHash hash,
                        Axis axis, double units, base::TimePoint now) {
  const std::lock_guard guard(mutex_);
  limiter(of, limits, now).take(hash, axis, units * share(), now);
}

void RateLimiters::refill(const TableOrIndex& of, const RateLimits& limits, base::TimePoint now) {
  const std::lock_guard guard(mutex_);
  limiter(of, limits, now);
}

bool RateLimiters::take_control_call(std::string_view account, base::TimePoint now) {
  constexpr std::int64_t calls = model::limits::control_calls;
  const std::lock_guard guard(mutex_);
  auto found = control_.find(account);
  if (found == control_.end()) {
    const auto full = [now](TokenBucket& bucket) {
      bucket.refill(now);
      return bucket.full();
    };
    erase_values_if(control_, full);
    found = control_.emplace(account, TokenBucket(calls, calls, now)).first;
  }
  TokenBucket& bucket = found->second;
  bucket.refill(now);
  if (!bucket.has(1)) return false;
  bucket.take(share());
  return true;
}

void RateLimiters::forget(store::TableId table) {
  const std::lock_guard guard(mutex_);
  limiters_.erase(limiters_.lower_bound({table, 0}), limiters_.lower_bound({table + 1, 0}));
}

std::size_t RateLimiters::size() const {
  const std::lock_guard guard(mutex_);
  return limiters_.size();
}

RateLimiter& RateLimiters::limiter(const TableOrIndex& of, const RateLimits& limits, base::TimePoint now) {
  auto found = limiters_.find(of);
  if (found == limiters_.end()) {
    drop_idle(now);
    found = limiters_.emplace(of, RateLimiter(limits, now)).first;
  }
  found->second.update(limits, now);
  return found->second;
}

/// Sweeps each time that there are twice as many as were left the last time.
void RateLimiters::drop_idle(base::TimePoint now) {
  if (limiters_.size() < sweep_size_) return;
  erase_values_if(limiters_, [now](RateLimiter& limiter) { return limiter.drop_idle(now); });
  sweep_size_ = std::max(least_sweep, 2 * limiters_.size());
}

}  // namespace dinette::dynamodb::throttling
