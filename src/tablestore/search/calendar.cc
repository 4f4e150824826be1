#include "tablestore/search/calendar.h"

#include <algorithm>
#include <array>
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

struct NamedZone {
  std::string_view name;
  std::int64_t minutes = 0;  ///< ahead of UTC
};

/// Zones that have no daylight saving. What they had in earlier times is not known here.
constexpr std::array named_zones = {
    NamedZone{"UTC", 0},
    NamedZone{"GMT", 0},
    NamedZone{"Z", 0},
    NamedZone{"Etc/UTC", 0},
    NamedZone{"Etc/GMT", 0},
    NamedZone{"Africa/Johannesburg", 120},
    NamedZone{"Africa/Lagos", 60},
    NamedZone{"Africa/Nairobi", 180},
    NamedZone{"America/Argentina/Buenos_Aires", -180},
    NamedZone{"America/Bogota", -300},
    NamedZone{"America/Lima", -300},
    NamedZone{"America/Phoenix", -420},
    NamedZone{"America/Sao_Paulo", -180},
    NamedZone{"Asia/Bangkok", 420},
    NamedZone{"Asia/Calcutta", 330},
    NamedZone{"Asia/Chongqing", 480},
    NamedZone{"Asia/Colombo", 330},
    NamedZone{"Asia/Dhaka", 360},
    NamedZone{"Asia/Dubai", 240},
    NamedZone{"Asia/Ho_Chi_Minh", 420},
    NamedZone{"Asia/Hong_Kong", 480},
    NamedZone{"Asia/Jakarta", 420},
    NamedZone{"Asia/Karachi", 300},
    NamedZone{"Asia/Kathmandu", 345},
    NamedZone{"Asia/Kolkata", 330},
    NamedZone{"Asia/Kuala_Lumpur", 480},
    NamedZone{"Asia/Macau", 480},
    NamedZone{"Asia/Manila", 480},
    NamedZone{"Asia/Riyadh", 180},
    NamedZone{"Asia/Seoul", 540},
    NamedZone{"Asia/Shanghai", 480},
    NamedZone{"Asia/Singapore", 480},
    NamedZone{"Asia/Taipei", 480},
    NamedZone{"Asia/Tokyo", 540},
    NamedZone{"Asia/Urumqi", 360},
    NamedZone{"Australia/Brisbane", 600},
    NamedZone{"Australia/Perth", 480},
    NamedZone{"Europe/Istanbul", 180},
    NamedZone{"Europe/Moscow", 180},
    NamedZone{"Pacific/Honolulu", -600},
};

/// Reads two digits.
std::optional<std::int64_t> read_pair(std::string_view text) {
  if (!base::is_digit(text[0]) || !base::is_digit(text[1])) return std::nullopt;
  return (text[0] - '0') * 10 + text[1] - '0';
}

/// Returns the minutes of `+hh:mm` or `-hh:mm`.
std::optional<std::int64_t> read_offset(std::string_view text) {
  constexpr std::int64_t most_hours = 18;
  const bool form = text.size() == 6 && (text[0] == '+' || text[0] == '-') && text[3] == ':';
  if (!form) return std::nullopt;
  const auto hours = read_pair(text.substr(1, 2));
  const auto minutes = read_pair(text.substr(4, 2));
  if (!hours || !minutes || *hours > most_hours || *minutes > 59) return std::nullopt;
  const std::int64_t ahead = *hours * 60 + *minutes;
  return text[0] == '-' ? -ahead : ahead;
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

std::optional<std::int64_t> read_time_zone(std::string_view zone) {
  if (zone.empty()) return 0;
  const auto* const named = std::ranges::find(named_zones, zone, &NamedZone::name);
  const auto minutes = named != named_zones.end() ? std::optional(named->minutes) : read_offset(zone);
  if (!minutes) return std::nullopt;
  return count_of(std::chrono::minutes(*minutes));
}

std::optional<CalendarParts> CalendarParts::read(const api::DateTimeValue& interval, std::int64_t zone) {
  CalendarParts parts;
  const std::int64_t count = interval.value.value_or(0);
  if (!interval.unit || count <= 0 || count > most_units) return std::nullopt;
  parts.zone_ = zone;
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
