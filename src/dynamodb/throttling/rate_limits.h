#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dinette/base/clock.h"

#include "dynamodb/request/throttled.h"
#include "dynamodb/request/throughput.h"

namespace dinette::dynamodb::throttling {

/// Returns where something is in an array of two.
constexpr std::size_t at(Axis axis) {
  return axis == Axis::read ? 0 : 1;
}

/// The limits of a table or a global index. Rates are in capacity units per second.
struct RateLimits {
  struct Side {
    Limit limit;  ///< not Limit::partition
    std::int64_t rate;
    std::int64_t warm;  ///< its warm throughput, for which its partitions suffice
  };

  bool on_demand = false;
  std::array<Side, 2> sides;   ///< of reads and of writes
  base::TimePoint since = {};  ///< when they came into force, as far as that is known
  std::uint64_t bytes = 0;     ///< of the items or entries
};

/// Returns the size of a bucket of that kind, in units (docs/service/throttling.md section 3,
/// "Buckets").
constexpr std::int64_t size_of_bucket(Limit limit, std::int64_t rate) {
  constexpr std::int64_t burst_seconds = 300;
  return limit == Limit::provisioned || limit == Limit::maximum ? burst_seconds * rate : rate;
}

}  // namespace dinette::dynamodb::throttling
