#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/store/placement.h"

#include "dynamodb/throttling/rate_limits.h"
#include "dynamodb/throttling/token_bucket.h"

namespace dinette::dynamodb::throttling {

/// The partitions of a table or index: ranges of the hash of the partition key, each with a second's worth of
/// reads and of writes (docs/service/throttling.md section 3, "Partitions, adaptive capacity"). Keeps no
/// state of partitions that are idle.
class Partitions {
 public:
  /// `count` of equal ranges, at least one.
  explicit Partitions(std::size_t count);

  std::size_t count() const { return starts_.size(); }

  /// Splits the widest ones in half until there are `count`.
  void grow_to(std::size_t count);

  /// Returns true if the partition of `hash` has that many units left. A partition that refuses in each of
  /// five consecutive minutes is split in half.
  bool admit(store::PartitionHash hash, Axis axis, double least, base::TimePoint now);

  void take(store::PartitionHash hash, Axis axis, double units, base::TimePoint now);

  /// Drops the state of partitions that are full and have not refused lately. Returns true if none is left.
  bool drop_idle(base::TimePoint now);

 private:
  /// One that was used.
  struct Partition {
    store::PartitionHash start;
    std::array<TokenBucket, 2> buckets;
    std::int64_t last_refusal = 0;  ///< in minutes
    int refusals = 0;               ///< minutes on end with one, up to the last
  };

  std::size_t index_of(store::PartitionHash hash) const;
  /// Returns the partition of `hash`, refilled.
  Partition& used(store::PartitionHash hash, base::TimePoint now);
  void note_refusal(Partition& partition, base::TimePoint now);
  /// Halves the range at `index`, if it can be. Both halves begin at rest.
  void split(std::size_t index);
  /// Returns the greatest hash of the range at `index`.
  store::PartitionHash last_of(std::size_t index) const;

  std::vector<store::PartitionHash> starts_;  ///< ascending, the first is 0
  std::vector<Partition> used_;               ///< by start, ascending
};

}  // namespace dinette::dynamodb::throttling
