#include "dinette/base/clock.h"

#include <algorithm>
#include <mutex>

namespace dinette::base {

using std::chrono::microseconds;

TimePoint SystemClock::now() const {
  return std::chrono::time_point_cast<microseconds>(std::chrono::system_clock::now());
}

std::optional<microseconds> SystemClock::until(TimePoint moment) const {
  const TimePoint shown = now();
  return moment <= shown ? microseconds(0) : moment - shown;  // `moment` may be the least that there is
}

TimePoint ManualClock::now() const {
  return TimePoint(microseconds(microseconds_.load()));
}

std::optional<microseconds> ManualClock::until(TimePoint moment) const {
  return moment <= now() ? std::optional(microseconds(0)) : std::nullopt;
}

void ManualClock::set(TimePoint moment) {
  microseconds_.store(moment.time_since_epoch().count());
}

void ManualClock::advance(microseconds step) {
  microseconds_.fetch_add(step.count());
}

namespace {

std::int64_t count_of(TimePoint moment) {
  return moment.time_since_epoch().count();
}

/// Returns what a clock of that setting shows when its source shows `source`. Microseconds of three centuries
/// are exact as a double.
TimePoint shown_at(const ClockSetting& setting, TimePoint source) {
  if (setting.frozen) return setting.shown;
  const double passed = setting.rate * static_cast<double>((source - setting.source).count());
  if (passed >= static_cast<double>((latest_time - setting.shown).count())) return latest_time;
  return setting.shown + microseconds(static_cast<std::int64_t>(passed));
}

}  // namespace

AdjustableClock::AdjustableClock(const Clock& source, ClockSetting setting)
    : source_(source), adjusted_(setting != ClockSetting()), setting_(setting) {}

TimePoint AdjustableClock::now() const {
  if (!adjusted_.load(std::memory_order_acquire)) return source_.now();
  return shown_at(setting(), source_.now());
}

std::optional<microseconds> AdjustableClock::until(TimePoint moment) const {
  const ClockSetting current = setting();
  if (current == ClockSetting()) return source_.until(moment);
  const TimePoint shown = shown_at(current, source_.now());
  if (moment <= shown) return microseconds(0);
  if (current.frozen || moment > latest_time) return std::nullopt;
  const double wait = static_cast<double>(count_of(moment) - count_of(shown)) / current.rate;
  const auto real = std::min(wait, static_cast<double>((latest_time - earliest_time).count()));
  return source_.until(source_.now() + microseconds(static_cast<std::int64_t>(real) + 1));
}

ClockSetting AdjustableClock::setting() const {
  const std::shared_lock guard(mutex_);
  return setting_;
}

void AdjustableClock::set(const ClockSetting& setting) {
  const std::unique_lock guard(mutex_);
  setting_ = setting;
  adjusted_.store(setting != ClockSetting(), std::memory_order_release);
}

void AdjustableClock::set(TimePoint moment, double rate, bool frozen) {
  set({source_.now(), moment, rate, frozen});
}

}  // namespace dinette::base
