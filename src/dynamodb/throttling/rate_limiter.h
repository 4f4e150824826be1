#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "dinette/base/clock.h"
#include "dinette/store/placement.h"

#include "dynamodb/throttling/partitions.h"
#include "dynamodb/throttling/rate_limits.h"
#include "dynamodb/throttling/token_bucket.h"
#include "dynamodb/throttling/usage_history.h"

namespace dinette::dynamodb::throttling {

/// Limits the rate of one table or one global index: a bucket each for reads and for writes, and its
/// partitions. Every member must be called with the limits at that moment.
class RateLimiter {
 public:
  RateLimiter(const RateLimits& limits, base::TimePoint now);

  /// Brings everything up to date: refills at the old rate until the limits came into force, then at the new
  /// one. A new kind of limit begins with a full bucket. The number of partitions never decreases.
  void update(const RateLimits& limits, base::TimePoint now);

  /// Returns the limit that is exceeded: there are fewer units left than `least`, the least that a call can
  /// cost.
  std::optional<Limit> exceeded(Axis axis, double least) const;
  /// Returns true if the partition has as many left. A refusal counts towards its split.
  bool admit_partition(store::PartitionHash hash, Axis axis, double least, base::TimePoint now);
  void take(store::PartitionHash hash, Axis axis, double units, base::TimePoint now);

  /// Drops what has fully refilled. Returns true if a new limiter would be the same.
  bool drop_idle(base::TimePoint now);

  std::size_t partitions() const { return partitions_.count(); }

 private:
  struct Side {
    Limit limit;
    TokenBucket bucket;
    UsageHistory usage = {};
  };
  static Side new_side(const RateLimits::Side& side, base::TimePoint now);
  /// Adds partitions for past usage.
  void grow(base::TimePoint now);

  bool on_demand_;
  std::array<Side, 2> sides_;
  std::size_t first_partitions_;  ///< how many the limits alone require
  Partitions partitions_;
  std::int64_t grown_ = 0;  ///< the minute in which it last grew
};

/// Returns how many partitions a table or index needs for its limits (docs/service/throttling.md section 3).
std::size_t partitions_for(const RateLimits& limits);

}  // namespace dinette::dynamodb::throttling
