#include "tablestore/sql/date_parts.h"

#include <chrono>
#include <cstdlib>
#include <string>

namespace dinette::tablestore::sql {
namespace {

using DateKind = Moment::Kind;

std::int64_t first_place(int year, int mode) {
  const std::int64_t weekday = parts_of({DateKind::date, days_of(year, 1, 1) * day_length}).weekday();
  return (mode & 1) != 0 ? (weekday + 6) % 7 : weekday;
}

Week week_within(int year, std::int64_t day, int mode) {
  const bool of_four_days = ((mode & 1) != 0) != ((mode & 4) != 0);
  const std::int64_t place = first_place(year, mode);
  const bool begins = of_four_days ? place <= 3 : place == 0;
  return {year, (day + place) / 7 + (begins ? 1 : 0)};
}

}  // namespace

std::int64_t days_of(int year, int month, int day) {
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  return std::chrono::sys_days(date).time_since_epoch().count();
}

int last_day_of(int year, int month) {
  const auto last =
      std::chrono::year(year) / std::chrono::month(static_cast<unsigned>(month)) / std::chrono::last;
  return static_cast<int>(static_cast<unsigned>(last.day()));
}

Parts parts_of(const Moment& moment) {
  Parts parts;
  if (moment.kind == DateKind::time) {
    parts.time = std::abs(moment.microseconds);
    return parts;
  }
  const auto day = std::chrono::floor<std::chrono::days>(std::chrono::microseconds(moment.microseconds));
  const std::chrono::year_month_day date{std::chrono::sys_days(day)};
  parts.year = static_cast<int>(date.year());
  parts.month = static_cast<int>(static_cast<unsigned>(date.month()));
  parts.day = static_cast<int>(static_cast<unsigned>(date.day()));
  parts.days = day.count();
  parts.time = moment.microseconds - parts.days * day_length;
  return parts;
}

std::int64_t year_of(const Parts& parts) {
  return parts.year;
}
std::int64_t quarter_of(const Parts& parts) {
  return (parts.month + 2) / 3;
}
std::int64_t month_of(const Parts& parts) {
  return parts.month;
}
std::int64_t day_of_month(const Parts& parts) {
  return parts.day;
}
std::int64_t hour_of(const Parts& parts) {
  return parts.hour();
}
std::int64_t minute_of(const Parts& parts) {
  return parts.minute();
}
std::int64_t second_of(const Parts& parts) {
  return parts.second();
}
std::int64_t fraction_of(const Parts& parts) {
  return parts.fraction();
}
std::int64_t day_of_week(const Parts& parts) {
  return parts.weekday() + 1;
}
std::int64_t weekday_of(const Parts& parts) {
  return (parts.weekday() + 6) % 7;
}
std::int64_t day_of_year(const Parts& parts) {
  return parts.days - days_of(parts.year, 1, 1) + 1;
}
std::int64_t days_of_parts(const Parts& parts) {
  return parts.days + days_before_1970;
}

Week week_of(const Parts& parts, int mode) {
  const Week week = week_within(parts.year, day_of_year(parts) - 1, mode);
  if ((mode & 2) == 0) return week;
  if (week.number == 0) {
    const int before = parts.year - 1;
    return week_within(before, days_of(before, 12, 31) - days_of(before, 1, 1), mode);
  }
  const std::int64_t next = first_place(parts.year + 1, mode);
  const bool of_four_days = ((mode & 1) != 0) != ((mode & 4) != 0);
  const std::int64_t left = days_of(parts.year, 12, 31) - parts.days;
  if (of_four_days && next >= 1 && next <= 3 && left < next) return {parts.year + 1, 1};
  return week;
}

std::optional<Moment> date_argument(const SqlValue& value) {
  if (const auto* const digits = std::get_if<std::int64_t>(&value)) return read_date(*digits);
  if (const auto* const text = std::get_if<std::string>(&value)) return read_date(*text);
  const auto* const moment = std::get_if<Moment>(&value);
  return moment != nullptr && moment->kind != DateKind::time ? std::optional(*moment) : std::nullopt;
}

std::optional<Moment> time_argument(const SqlValue& value) {
  if (const auto* const digits = std::get_if<std::int64_t>(&value)) return read_time(*digits);
  if (const auto* const text = std::get_if<std::string>(&value)) return read_time(*text);
  const auto* const moment = std::get_if<Moment>(&value);
  return moment != nullptr ? std::optional(*moment) : std::nullopt;
}

}  // namespace dinette::tablestore::sql
