#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/clock.h"
#include "dinette/store/catalog.h"
#include "dinette/store/placement.h"

#include "dynamodb/throttling/rate_limiter.h"
#include "dynamodb/throttling/rate_limits.h"
#include "dynamodb/throttling/token_bucket.h"

namespace dinette::dynamodb::throttling {

/// Names a table, or one of its global indexes if `index` is not 0.
struct TableOrIndex {
  store::TableId table = 0;
  store::IndexId index = 0;

  auto operator<=>(const TableOrIndex&) const = default;
};

/// The rate limiters of all tables and indexes of a world. Checks take nothing. A limiter that is full, and
/// no other than a new one, is dropped, so that memory is bounded by what was used lately and by the
/// partitions that were split. Thread-safe.
class RateLimiters {
 public:
  /// Returns the limit of a table or index as a whole that is exceeded: fewer units are left than `least`,
  /// the least that a call can cost.
  std::optional<Limit> exceeded(const TableOrIndex& of, const RateLimits& limits, Axis axis, double least,
                                base::TimePoint now);

  /// Returns true if the partition of `hash` has as many left.
  bool admit_partition(const TableOrIndex& of, const RateLimits& limits, store::PartitionHash hash, Axis axis,
                       double least, base::TimePoint now);

  /// Takes units of the whole and of the partition.
  void take(const TableOrIndex& of, const RateLimits& limits, store::PartitionHash hash, Axis axis,
            double units, base::TimePoint now);

  /// Must be called before `limits` change, so that the buckets refill by them until then.
  void refill(const TableOrIndex& of, const RateLimits& limits, base::TimePoint now);

  /// Of several servers between which requests are spread, each takes what all of them are likely to take.
  void share_with(std::size_t servers) {
    servers_.store(static_cast<double>(servers), std::memory_order_relaxed);
  }

  /// Takes one call of the control plane. Returns false if the account has none left.
  bool take_control_call(std::string_view account, base::TimePoint now);

  /// Forgets a table and its indexes.
  void forget(store::TableId table);

  /// Returns the number of tables and indexes that are remembered.
  std::size_t size() const;

 private:
  /// Returns the limiter of `of`, up to date.
  RateLimiter& limiter(const TableOrIndex& of, const RateLimits& limits, base::TimePoint now);
  void drop_idle(base::TimePoint now);

  double share() const { return servers_.load(std::memory_order_relaxed); }

  std::atomic<double> servers_ = 1;
  mutable std::mutex mutex_;
  std::map<TableOrIndex, RateLimiter> limiters_;
  std::map<std::string, TokenBucket, std::less<>> control_;  ///< by account
  std::size_t sweep_size_ = 64;  ///< when there are so many limiters, idle ones are dropped
};

}  // namespace dinette::dynamodb::throttling
