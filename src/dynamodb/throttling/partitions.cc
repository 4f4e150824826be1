#include "dynamodb/throttling/partitions.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "dynamodb/api/limits.h"
#include "dynamodb/throttling/minute.h"

namespace dinette::dynamodb::throttling {
namespace {

constexpr auto last_hash = std::numeric_limits<store::PartitionHash>::max();
/// Minutes on end with a refusal, after which a partition is halved.
constexpr int minutes_of_heat = 5;

TokenBucket new_bucket(std::int64_t rate, base::TimePoint now) {
  return {rate, size_of_bucket(Limit::partition, rate), now};
}

}  // namespace

Partitions::Partitions(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    // Where parts of a Scan begin, too: the next hash after i/count of them all.
    const auto range =
        store::KeyRange::of_segment(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(count));
    starts_.push_back(store::hash_at(range.begin));
  }
}

void Partitions::grow_to(std::size_t count) {
  while (starts_.size() < count) {
    std::size_t widest = 0;
    for (std::size_t i = 1; i < starts_.size(); ++i) {
      if (last_of(i) - starts_[i] > last_of(widest) - starts_[widest]) widest = i;
    }
    split(widest);
  }
}

bool Partitions::admit(store::PartitionHash hash, Axis axis, double least, base::TimePoint now) {
  Partition& partition = used(hash, now);
  if (partition.buckets[at(axis)].has(least)) return true;
  note_refusal(partition, now);
  return false;
}

void Partitions::take(store::PartitionHash hash, Axis axis, double units, base::TimePoint now) {
  used(hash, now).buckets[at(axis)].take(units);
}

bool Partitions::drop_idle(base::TimePoint now) {
  const std::int64_t minute = minute_of(now);
  std::erase_if(used_, [&](Partition& partition) {
    for (TokenBucket& bucket : partition.buckets) bucket.refill(now);
    const bool full = partition.buckets[0].full() && partition.buckets[1].full();
    return full && (partition.refusals == 0 || partition.last_refusal + 1 < minute);
  });
  return used_.empty();
}

std::size_t Partitions::index_of(store::PartitionHash hash) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(starts_, hash) - starts_.begin()) - 1;
}

Partitions::Partition& Partitions::used(store::PartitionHash hash, base::TimePoint now) {
  const store::PartitionHash start = starts_[index_of(hash)];
  auto found = std::ranges::lower_bound(used_, start, {}, &Partition::start);
  if (found == used_.end() || found->start != start) {
    found = used_.insert(found, {start,
                                 {new_bucket(model::limits::partition_read_units, now),
                                  new_bucket(model::limits::partition_write_units, now)}});
  }
  for (TokenBucket& bucket : found->buckets) bucket.refill(now);
  return *found;
}

void Partitions::note_refusal(Partition& partition, base::TimePoint now) {
  const std::int64_t minute = minute_of(now);
  if (partition.refusals > 0 && minute == partition.last_refusal) return;
  const bool goes_on = partition.refusals > 0 && minute == partition.last_refusal + 1;
  partition.refusals = goes_on ? partition.refusals + 1 : 1;
  partition.last_refusal = minute;
  if (partition.refusals == minutes_of_heat) split(index_of(partition.start));
}

void Partitions::split(std::size_t index) {
  const store::PartitionHash start = starts_[index];
  const store::PartitionHash width = last_of(index) - start;
  std::erase_if(used_, [&](const Partition& partition) { return partition.start == start; });
  if (width == 0) return;
  starts_.insert(starts_.begin() + static_cast<std::ptrdiff_t>(index) + 1, start + width / 2 + 1);
}

store::PartitionHash Partitions::last_of(std::size_t index) const {
  return index + 1 < starts_.size() ? starts_[index + 1] - 1 : last_hash;
}

}  // namespace dinette::dynamodb::throttling
