#include "dynamodb/throttling/rate_limiter.h"

#include <algorithm>
#include <cmath>

#include "dynamodb/api/limits.h"
#include "dynamodb/throttling/minute.h"

namespace dinette::dynamodb::throttling {
namespace {

/// An on-demand table is ready for so many times its former peak.
constexpr double growth = 2;

std::size_t parts(std::uint64_t whole, std::uint64_t part) {
  return (whole + part - 1) / part;
}

std::size_t partitions_for_units(std::int64_t read, std::int64_t write) {
  return std::max(parts(static_cast<std::uint64_t>(read), model::limits::partition_read_units),
                  parts(static_cast<std::uint64_t>(write), model::limits::partition_write_units));
}

}  // namespace

std::size_t partitions_for(const RateLimits& limits) {
  const std::size_t for_units = partitions_for_units(limits.sides[0].warm, limits.sides[1].warm);
  return std::max({std::size_t{1}, for_units, parts(limits.bytes, model::limits::partition_bytes)});
}

RateLimiter::Side RateLimiter::new_side(const RateLimits::Side& side, base::TimePoint now) {
  return {side.limit, TokenBucket(side.rate, size_of_bucket(side.limit, side.rate), now)};
}

RateLimiter::RateLimiter(const RateLimits& limits, base::TimePoint now)
    : on_demand_(limits.on_demand),
      sides_{new_side(limits.sides[0], now), new_side(limits.sides[1], now)},
      first_partitions_(partitions_for(limits)),
      partitions_(first_partitions_) {}

void RateLimiter::update(const RateLimits& limits, base::TimePoint now) {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    Side& side = sides_[i];
    const RateLimits::Side& given = limits.sides[i];
    if (side.limit != given.limit || on_demand_ != limits.on_demand) {
      side.limit = given.limit;
      side.bucket = new_side(given, now).bucket;
    } else if (side.bucket.rate() != given.rate) {
      if (limits.since > side.bucket.last()) side.bucket.refill(std::min(limits.since, now));
      side.bucket.change(given.rate, size_of_bucket(given.limit, given.rate));
    }
    side.bucket.refill(now);
  }
  on_demand_ = limits.on_demand;
  first_partitions_ = partitions_for(limits);
  partitions_.grow_to(first_partitions_);
  if (on_demand_ && minute_of(now) != grown_) grow(now);
}

void RateLimiter::grow(base::TimePoint now) {
  grown_ = minute_of(now);
  const auto wanted = [&](Side& side) {
    return static_cast<std::int64_t>(std::ceil(growth * side.usage.peak(now)));
  };
  partitions_.grow_to(partitions_for_units(wanted(sides_[0]), wanted(sides_[1])));
}

std::optional<Limit> RateLimiter::exceeded(Axis axis, double least) const {
  const Side& side = sides_[at(axis)];
  return side.bucket.has(least) ? std::nullopt : std::optional(side.limit);
}

bool RateLimiter::admit_partition(store::PartitionHash hash, Axis axis, double least, base::TimePoint now) {
  return partitions_.admit(hash, axis, least, now);
}

void RateLimiter::take(store::PartitionHash hash, Axis axis, double units, base::TimePoint now) {
  Side& side = sides_[at(axis)];
  side.bucket.take(units);
  if (on_demand_) side.usage.add(units, now);
  partitions_.take(hash, axis, units, now);
}

bool RateLimiter::drop_idle(base::TimePoint now) {
  grow(now);
  bool full = true;
  for (Side& side : sides_) {
    side.bucket.refill(now);
    full &= side.bucket.full() && side.usage.settled();
  }
  const bool at_rest = partitions_.drop_idle(now);
  return full && at_rest && partitions_.count() == first_partitions_;
}

}  // namespace dinette::dynamodb::throttling
