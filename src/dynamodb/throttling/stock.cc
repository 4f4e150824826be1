#include "dynamodb/throttling/stock.h"

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

std::size_t partitions_for(const Supply& supply) {
  const std::size_t for_units = partitions_for_units(supply.sides[0].warm, supply.sides[1].warm);
  return std::max({std::size_t{1}, for_units, parts(supply.bytes, model::limits::partition_bytes)});
}

Stock::Side Stock::new_side(const Supply::Side& side, base::TimePoint now) {
  return {side.limit, TokenBucket(side.rate, size_of_bucket(side.limit, side.rate), now)};
}

Stock::Stock(const Supply& supply, base::TimePoint now)
    : on_demand_(supply.on_demand),
      sides_{new_side(supply.sides[0], now), new_side(supply.sides[1], now)},
      first_partitions_(partitions_for(supply)),
      partitions_(first_partitions_) {}

void Stock::update(const Supply& supply, base::TimePoint now) {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    Side& side = sides_[i];
    const Supply::Side& given = supply.sides[i];
    if (side.limit != given.limit || on_demand_ != supply.on_demand) {
      side.limit = given.limit;
      side.bucket = new_side(given, now).bucket;
    } else if (side.bucket.rate() != given.rate) {
      if (supply.since > side.bucket.last()) side.bucket.refill(std::min(supply.since, now));
      side.bucket.change(given.rate, size_of_bucket(given.limit, given.rate));
    }
    side.bucket.refill(now);
  }
  on_demand_ = supply.on_demand;
  first_partitions_ = partitions_for(supply);
  partitions_.grow_to(first_partitions_);
  if (on_demand_ && minute_of(now) != grown_) grow(now);
}

void Stock::grow(base::TimePoint now) {
  grown_ = minute_of(now);
  const auto wanted = [&](Side& side) {
    return static_cast<std::int64_t>(std::ceil(growth * side.demand.peak(now)));
  };
  partitions_.grow_to(partitions_for_units(wanted(sides_[0]), wanted(sides_[1])));
}

std::optional<Limit> Stock::look(Axis axis, double least) const {
  const Side& side = sides_[at(axis)];
  return side.bucket.has(least) ? std::nullopt : std::optional(side.limit);
}

bool Stock::look_at_partition(store::PartitionHash hash, Axis axis, double least, base::TimePoint now) {
  return partitions_.look(hash, axis, least, now);
}

void Stock::take(store::PartitionHash hash, Axis axis, double units, base::TimePoint now) {
  Side& side = sides_[at(axis)];
  side.bucket.take(units);
  if (on_demand_) side.demand.add(units, now);
  partitions_.take(hash, axis, units, now);
}

bool Stock::rest(base::TimePoint now) {
  grow(now);
  bool full = true;
  for (Side& side : sides_) {
    side.bucket.refill(now);
    full &= side.bucket.full() && side.demand.settled();
  }
  const bool at_rest = partitions_.rest(now);
  return full && at_rest && partitions_.count() == first_partitions_;
}

}  // namespace dinette::dynamodb::throttling
