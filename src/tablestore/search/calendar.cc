#include "tablestore/search/calendar.h"

#include <chrono>

#include "dinette/base/ascii.h"

namespace dinette::tablestore::search {
namespace {

using std::chrono::days;
using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::sys_days;

constexpr int most_units = 1'000'000;

std::int64_t count_of(std::chrono::milliseconds time) {
  return time.count();
}

std::optional<std::int64_t> length_of(api::DateTimeUnit unit) {
  switch (unit) {
    case api::DateTimeUnit::week:
      return count_of(std::chrono::weeks(1));
    case api::DateTimeUnit::day:
      return count_of(days(1));
    case api::DateTimeUnit::hour:
      return count_of(std::chrono::hours(1));
    case api::DateTimeUnit::minute:
      return count_of(std::chrono::minutes(1));
    case api::DateTimeUnit::second:
      return 1000;
    case api::DateTimeUnit::millisecond:
      return 1;
    default:
      return std::nullopt;
  }
}

std::int64_t months_of(api::DateTimeUnit unit) {
  if (unit == api::DateTimeUnit::year) return 12;
  return unit == api::DateTimeUnit::quarter_year ? 3 : 1;
}

/// Returns the largest multiple of `step` that is not greater.
std::int64_t floor_to(std::int64_t number, std::int64_t step) {
  const std::int64_t rest = number % step;
  return number - (rest < 0 ? rest + step : rest);
}

/// Returns the milliseconds that a zone is ahead of UTC.
std::optional<std::int64_t> read_zone(std::string_view zone) {
  constexpr std::int64_t hour = 3'600'000;
  if (zone.empty() || zone == "UTC" || zone == "GMT" || zone == "Z") return 0;
  if (zone == "Asia/Shanghai") return 8 * hour;
  const bool form = zone.size() == 6 && (zone[0] == '+' || zone[0] == '-') && zone[3] == ':';
  if (!form) return std::nullopt;
  std::int64_t digits[4];
  for (int i = 0; i < 4; ++i) {
    const char digit = zone[static_cast<std::size_t>(i < 2 ? i + 1 : i + 2)];
    if (!base::is_digit(digit)) return std::nullopt;
    digits[i] = digit - '0';
  }
  const std::int64_t ahead = (digits[0] * 10 + digits[1]) * hour + (digits[2] * 10 + digits[3]) * 60'000;
  return zone[0] == '-' ? -ahead : ahead;
}

/// Returns the months since 1970 of a time, and the time at which such a month begins.
std::int64_t month_at(std::int64_t time) {
  const std::chrono::year_month_day date(sys_days(std::chrono::floor<days>(milliseconds(time))));
  return (static_cast<int>(date.year()) - 1970) * std::int64_t{12} + static_cast<unsigned>(date.month()) - 1;
}

std::int64_t begin_of_month(std::int64_t month) {
  const std::int64_t year = floor_to(month, 12) / 12;
  const auto first = std::chrono::year(static_cast<int>(1970 + year)) /
                     std::chrono::month(static_cast<unsigned>(month - year * 12 + 1)) / 1;
  return duration_cast<milliseconds>(sys_days(first).time_since_epoch()).count();
}

}  // namespace

std::optional<CalendarParts> CalendarParts::read(const api::DateTimeValue& interval, std::string_view zone) {
  CalendarParts parts;
  const auto ahead = read_zone(zone);
  const std::int64_t count = interval.value.value_or(0);
  if (!ahead || !interval.unit || count <= 0 || count > most_units) return std::nullopt;
  parts.zone_ = *ahead;
  if (const auto length = milliseconds_of(interval)) {
    // 1970 began on a Thursday; weeks begin on Mondays.
    if (interval.unit == api::DateTimeUnit::week) parts.origin_ = count_of(days(4));
    parts.milliseconds_ = *length;
  } else {
    parts.months_ = count * months_of(*interval.unit);
  }
  return parts;
}

std::int64_t CalendarParts::begin_of(std::int64_t time) const {
  const std::int64_t local = time + zone_;
  if (of_months()) return begin_of_month(floor_to(month_at(local), months_)) - zone_;
  return floor_to(local - origin_, milliseconds_) + origin_ - zone_;
}

std::int64_t CalendarParts::next(std::int64_t begin) const {
  if (of_months()) return begin_of_month(month_at(begin + zone_) + months_) - zone_;
  return begin + milliseconds_;
}

std::optional<std::int64_t> milliseconds_of(const api::DateTimeValue& span) {
  const auto length = span.unit ? length_of(*span.unit) : std::nullopt;
  if (!length) return std::nullopt;
  return *length * span.value.value_or(0);
}

}  // namespace dinette::tablestore::search
