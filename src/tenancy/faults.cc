#include "dinette/tenancy/faults.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dinette::tenancy {
namespace {

bool matches(const FaultRule& rule, const FaultTarget& target) {
  const auto has = [&](const FaultAttribute& one) {
    return std::ranges::find(target.attributes, one) != target.attributes.end();
  };
  return (rule.table.empty() || rule.table == target.table) && std::ranges::all_of(rule.key, has);
}

bool matches(const FaultRule& rule, const FaultRequest& request) {
  if (!rule.operation.empty() && rule.operation != request.operation) return false;
  if (rule.table.empty() && rule.key.empty()) return true;
  return std::ranges::any_of(request.targets, [&](const FaultTarget& one) { return matches(rule, one); });
}

std::chrono::milliseconds draw_delay(const FaultDelay& delay, std::mt19937_64& random) {
  using std::chrono::milliseconds;
  if (delay.mean > delay.mean.zero()) {
    const double time = -static_cast<double>(delay.mean.count()) * std::log1p(-draw(random));
    return std::min(milliseconds(std::llround(time)), delay.most);
  }
  if (delay.least == delay.most) return delay.least;
  const auto choices = static_cast<double>((delay.most - delay.least).count() + 1);
  return delay.least + milliseconds(static_cast<std::int64_t>(draw(random) * choices));
}

}  // namespace

void Faults::replace(std::vector<FaultRule> rules) {
  std::vector<Entry> entries;
  entries.reserve(rules.size());
  for (FaultRule& rule : rules) entries.emplace_back(std::move(rule));
  Delayed ended;
  {
    const std::lock_guard guard(mutex_);
    entries_.swap(entries);
    delayed_.swap(ended);
    ++rules_;
    any_.store(!entries_.empty(), std::memory_order_relaxed);
  }
  for (const auto& [due, resume] : ended) resume();
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

void Faults::resume_after_delay(const FaultHit& hit, std::function<void()> resume) {
  {
    const std::lock_guard guard(mutex_);
    if (rules_ == hit.rules) {
      if (!resumer_.joinable())
        resumer_ = std::jthread([this](const std::stop_token& stop) { resume_when_due(stop); });
      delayed_.emplace(std::chrono::steady_clock::now() + hit.delay, std::move(resume));
      delayed_changed_.notify_all();
      return;
    }
  }
  resume();
}

/// The life of resumer_.
void Faults::resume_when_due(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const Moment next = delayed_.empty() ? Moment::max() : delayed_.begin()->first;
    if (next > std::chrono::steady_clock::now()) {
      const auto sooner = [&] { return !delayed_.empty() && delayed_.begin()->first < next; };
      if (delayed_.empty())
        delayed_changed_.wait(lock, stop, sooner);
      else
        delayed_changed_.wait_until(lock, stop, next, sooner);
      continue;
    }
    const auto due = delayed_.extract(delayed_.begin());
    lock.unlock();
    due.mapped()();
    lock.lock();
  }
}

FaultHit Faults::Entry::hit(std::uint64_t rules) {
  const FaultEffect& effect = record.rule.effect;
  const std::uint64_t seed = effect.unprocessed_share > 0 ? random() : 0;
  return {effect, draw_delay(effect.delay, random), seed, rules};
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

}  // namespace dinette::tenancy
