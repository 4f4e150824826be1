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

/// Counts a matching request. Returns true if the rule hits it.
bool hits(const FaultRule& rule, FaultCount& count, std::mt19937_64& random) {
  ++count.matched;
  if (count.matched < rule.nth || (rule.times && count.fired >= *rule.times)) return false;
  if (draw(random) >= rule.probability) return false;
  ++count.fired;
  return true;
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

void Faults::share(std::unique_ptr<FaultCounts> counts) {
  counts_ = std::move(counts);
}

std::uint64_t Faults::set() const {
  const std::lock_guard guard(mutex_);
  return set_;
}

void Faults::replace(std::vector<FaultRule> rules, std::uint64_t set) {
  std::vector<Entry> entries;
  entries.reserve(rules.size());
  for (FaultRule& rule : rules) entries.emplace_back(std::move(rule));
  Delayed ended;
  {
    const std::lock_guard guard(mutex_);
    entries_.swap(entries);
    delayed_.swap(ended);
    ++rules_;
    set_ = set;
    any_.store(!entries_.empty(), std::memory_order_relaxed);
  }
  for (const auto& [due, resume] : ended) resume();
}

std::vector<FaultRecord> Faults::list() const {
  const std::lock_guard guard(mutex_);
  std::vector<FaultRecord> records;
  records.reserve(entries_.size());
  for (const Entry& one : entries_) records.push_back(one.record);
  for (std::size_t i = 0; counts_ && i < records.size(); ++i) {
    const FaultCount count = counts_->read(set_, i);
    records[i].matched = count.matched;
    records[i].fired = count.fired;
  }
  return records;
}

std::optional<FaultHit> Faults::next(const FaultRequest& request) {
  const std::lock_guard guard(mutex_);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (matches(entries_[i].record.rule, request) && fires(i)) return entries_[i].hit(rules_);
  }
  return std::nullopt;
}

/// Counts a matching request. Returns true if the rule hits it.
bool Faults::fires(std::size_t rule) {
  Entry& entry = entries_[rule];
  if (!counts_) return entry.fires();
  bool fires = false;
  counts_->change(set_, rule, [&](FaultCount& count) { fires = entry.fires_by(count); });
  return fires;
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

bool Faults::Entry::fires() {
  FaultCount count{record.matched, record.fired};
  const bool fires = hits(record.rule, count, random);
  record.matched = count.matched;
  record.fired = count.fired;
  return fires;
}

bool Faults::Entry::fires_by(FaultCount& count) {
  std::seed_seq seeds{record.rule.seed, count.matched};
  random.seed(seeds);
  return hits(record.rule, count, random);
}

}  // namespace dinette::tenancy
