#include "dinette/store/faults.h"

#include <algorithm>
#include <utility>

namespace dinette::store {
namespace {

bool matches(const FaultRule& rule, const FaultRequest& request) {
  if (!rule.operation.empty() && rule.operation != request.operation) return false;
  return rule.table.empty() || std::ranges::find(request.tables, rule.table) != request.tables.end();
}

}  // namespace

void Faults::replace(std::vector<FaultRule> rules) {
  std::vector<Entry> entries;
  entries.reserve(rules.size());
  for (FaultRule& rule : rules) entries.emplace_back(std::move(rule));
  {
    const std::lock_guard guard(mutex_);
    entries_.swap(entries);
    ++rules_;
    any_.store(!entries_.empty(), std::memory_order_relaxed);
  }
  replaced_.notify_all();
}

std::vector<FaultRecord> Faults::list() const {
  const std::lock_guard guard(mutex_);
  std::vector<FaultRecord> records;
  records.reserve(entries_.size());
  for (const Entry& one : entries_) records.push_back(one.record);
  return records;
}

std::optional<FaultHit> Faults::next(const FaultRequest& request) {
  const std::lock_guard guard(mutex_);
  for (Entry& one : entries_) {
    if (matches(one.record.rule, request) && one.fires()) return one.hit(rules_);
  }
  return std::nullopt;
}

void Faults::wait(const FaultHit& hit) {
  std::unique_lock lock(mutex_);
  replaced_.wait_for(lock, hit.effect.delay, [&] { return rules_ != hit.rules; });
}

FaultHit Faults::Entry::hit(std::uint64_t rules) {
  const FaultEffect& effect = record.rule.effect;
  return {effect, effect.unprocessed_share > 0 ? random() : 0, rules};
}

/// Counts a matching request. Returns true if the rule hits it.
bool Faults::Entry::fires() {
  const FaultRule& rule = record.rule;
  ++record.matched;
  if (record.matched < rule.nth || (rule.times && record.fired >= *rule.times)) return false;
  if (draw(random) >= rule.probability) return false;
  ++record.fired;
  return true;
}

}  // namespace dinette::store
