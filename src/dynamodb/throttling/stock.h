#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "dinette/base/clock.h"
#include "dinette/store/placement.h"

#include "dynamodb/throttling/demand.h"
#include "dynamodb/throttling/partitions.h"
#include "dynamodb/throttling/supply.h"
#include "dynamodb/throttling/token_bucket.h"

namespace dinette::dynamodb::throttling {

/// The remaining throughput of one table or one global index. Every member is to be called with the supply at
/// that moment.
class Stock {
 public:
  Stock(const Supply& supply, base::TimePoint now);

  /// Brings everything up to date: refills at the old rate until the supply came into force, then at the new
  /// one. Where the kind of limit is another one, a full bucket begins. Partitions never get fewer.
  void update(const Supply& supply, base::TimePoint now);

  /// Returns what has run out of the whole, if the least that a call can cost is not there.
  std::optional<Limit> look(Axis axis, double least) const;
  /// Returns true if the partition has as much.
  bool look_at_partition(store::PartitionHash hash, Axis axis, double least, base::TimePoint now);
  void take(store::PartitionHash hash, Axis axis, double units, base::TimePoint now);

  /// Drops what has fully refilled. Returns true if a new stock would be the same.
  bool rest(base::TimePoint now);

  std::size_t partitions() const { return partitions_.count(); }

 private:
  struct Side {
    Limit limit;
    TokenBucket bucket;
    Demand demand = {};
  };
  static Side new_side(const Supply::Side& side, base::TimePoint now);
  /// Adds partitions for what was taken.
  void grow(base::TimePoint now);

  bool on_demand_;
  std::array<Side, 2> sides_;
  std::size_t first_partitions_;  ///< how many the supply alone asks for
  Partitions partitions_;
  std::int64_t grown_ = 0;  ///< the minute in which the demand was last asked
};

/// Returns how many partitions a table or index needs for its supply (docs/service/throttling.md section 3).
std::size_t partitions_for(const Supply& supply);

}  // namespace dinette::dynamodb::throttling
