#include "dynamodb/throttling/ledger.h"

#include <algorithm>
#include <iterator>

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb::throttling {
namespace {

/// Fewer are not worth looking through.
constexpr std::size_t least_crowd = 64;

/// std::erase_if shows its values only as constants.
template <class Map, class Condition>
void erase_values_if(Map& map, Condition condition) {
  for (auto entry = map.begin(); entry != map.end();)
    entry = condition(entry->second) ? map.erase(entry) : std::next(entry);
}

}  // namespace

std::optional<Limit> Ledger::look(const Holder& holder, const Supply& supply, Axis axis, double least,
                                  base::TimePoint now) {
  const std::lock_guard guard(mutex_);
  return stock(holder, supply, now).look(axis, least);
}

bool Ledger::look_at_partition(const Holder& holder, const Supply& supply, store::PartitionHash hash,
                               Axis axis, double least, base::TimePoint now) {
  const std::lock_guard guard(mutex_);
  return stock(holder, supply, now).look_at_partition(hash, axis, least, now);
}

void Ledger::take(const Holder& holder, const Supply& supply, store::PartitionHash hash, Axis axis,
                  double units, base::TimePoint now) {
  const std::lock_guard guard(mutex_);
  stock(holder, supply, now).take(hash, axis, units, now);
}

void Ledger::settle(const Holder& holder, const Supply& supply, base::TimePoint now) {
  const std::lock_guard guard(mutex_);
  stock(holder, supply, now);
}

bool Ledger::take_control_call(std::string_view account, base::TimePoint now) {
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
  bucket.take(1);
  return true;
}

void Ledger::forget(store::TableId table) {
  const std::lock_guard guard(mutex_);
  stocks_.erase(stocks_.lower_bound({table, 0}), stocks_.lower_bound({table + 1, 0}));
}

std::size_t Ledger::size() const {
  const std::lock_guard guard(mutex_);
  return stocks_.size();
}

Stock& Ledger::stock(const Holder& holder, const Supply& supply, base::TimePoint now) {
  auto found = stocks_.find(holder);
  if (found == stocks_.end()) {
    forget_the_rested(now);
    found = stocks_.emplace(holder, Stock(supply, now)).first;
  }
  found->second.update(supply, now);
  return found->second;
}

/// Looks through all of them each time that there are twice as many as were left the last time.
void Ledger::forget_the_rested(base::TimePoint now) {
  if (stocks_.size() < crowd_) return;
  erase_values_if(stocks_, [now](Stock& stock) { return stock.rest(now); });
  crowd_ = std::max(least_crowd, 2 * stocks_.size());
}

}  // namespace dinette::dynamodb::throttling
