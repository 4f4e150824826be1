#include "dynamodb/throttling/usage_history.h"

#include <algorithm>

#include "dynamodb/throttling/minute.h"

namespace dinette::dynamodb::throttling {
namespace {

constexpr std::int64_t minutes_until_growth = 30;
constexpr double seconds_per_minute = 60;

}  // namespace

void UsageHistory::add(double units, base::TimePoint now) {
  const std::int64_t minute = minute_of(now);
  if (recent_.empty() || recent_.back().minute != minute) {
    peak(now);
    recent_.push_back({minute, 0});
  }
  recent_.back().units += units;
}

double UsageHistory::peak(base::TimePoint now) {
  const std::int64_t minute = minute_of(now);
  std::erase_if(recent_, [&](const Minute& past) {
    // A minute that lies ahead was counted before the clock was set back.
    if (past.minute > minute) return true;
    if (past.minute + 1 + minutes_until_growth > minute) return false;
    peak_ = std::max(peak_, past.units / seconds_per_minute);
    return true;
  });
  return peak_;
}

}  // namespace dinette::dynamodb::throttling
