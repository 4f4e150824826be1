#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "tablestore/sql/date_parts.h"
#include "tablestore/sql/functions.h"

namespace dinette::tablestore::sql {
namespace {

using DateKind = Moment::Kind;

/// Of a date, a number that is one of its parts.
template <std::int64_t (*part)(const Parts& parts)>
SqlValue part_of_date(Arguments arguments, const Environment&) {
  const auto moment = date_argument(arguments[0]);
  return moment ? SqlValue(part(parts_of(*moment))) : SqlValue();
}

/// The same of a time, which a date has too.
template <std::int64_t (*part)(const Parts& parts)>
SqlValue part_of_time(Arguments arguments, const Environment&) {
  const auto moment = time_argument(arguments[0]);
  return moment ? SqlValue(part(parts_of(*moment))) : SqlValue();
}

std::optional<Week> week_argument(Arguments arguments, int more) {
  const auto moment = date_argument(arguments[0]);
  const auto mode = arguments.size() > 1 ? whole_argument(arguments[1]) : std::optional<std::int64_t>(0);
  if (!moment || !mode) return std::nullopt;
  return week_of(parts_of(*moment), (static_cast<int>(*mode & 7)) | more);
}

SqlValue week(Arguments arguments, const Environment&) {
  const auto found = week_argument(arguments, 0);
  return found ? SqlValue(found->number) : SqlValue();
}

SqlValue year_week(Arguments arguments, const Environment&) {
  const auto found = week_argument(arguments, 2);
  return found ? SqlValue(found->year * std::int64_t{100} + found->number) : SqlValue();
}

SqlValue week_of_year(Arguments arguments, const Environment&) {
  const auto found = week_argument(arguments.first(1), 3);
  return found ? SqlValue(found->number) : SqlValue();
}

SqlValue last_day(Arguments arguments, const Environment&) {
  const auto moment = date_argument(arguments[0]);
  if (!moment) return {};
  const Parts parts = parts_of(*moment);
  const int last = last_day_of(parts.year, parts.month);
  return Moment{DateKind::date, days_of(parts.year, parts.month, last) * day_length};
}

// What is now, in UTC.

/// To the second, or with so many digits after it.
Moment now_of(const Environment& environment, Arguments arguments) {
  const std::int64_t digits = arguments.empty() ? 0 : whole_argument(arguments[0]).value_or(0);
  std::int64_t unit = second_length;
  for (std::int64_t i = 0; i < digits && unit > 1; ++i) unit /= 10;
  const std::int64_t now = environment.now.time_since_epoch().count();
  return {DateKind::datetime, now - now % unit};
}

SqlValue now(Arguments arguments, const Environment& environment) {
  return now_of(environment, arguments);
}

SqlValue current_date(Arguments, const Environment& environment) {
  return *day_of(now_of(environment, {}));
}

SqlValue current_time(Arguments arguments, const Environment& environment) {
  return Moment{DateKind::time, now_of(environment, arguments).microseconds % day_length};
}

// Conversions.

SqlValue date(Arguments arguments, const Environment&) {
  const auto moment = date_argument(arguments[0]);
  const auto day = moment ? day_of(*moment) : std::nullopt;
  return day ? SqlValue(*day) : SqlValue();
}

SqlValue time_of(Arguments arguments, const Environment&) {
  const auto moment = time_argument(arguments[0]);
  if (!moment) return {};
  if (moment->kind == DateKind::time) return *moment;
  return Moment{DateKind::time, parts_of(*moment).time};
}

SqlValue datetime_of(Arguments arguments, const Environment&) {
  const auto moment = date_argument(arguments[0]);
  return moment ? SqlValue(Moment{DateKind::datetime, moment->microseconds}) : SqlValue();
}

SqlValue time_to_sec(Arguments arguments, const Environment&) {
  const auto moment = time_argument(arguments[0]);
  if (!moment) return {};
  const std::int64_t seconds = parts_of(*moment).time / second_length;
  const bool is_negative = moment->kind == DateKind::time && moment->microseconds < 0;
  return is_negative ? -seconds : seconds;
}

SqlValue sec_to_time(Arguments arguments, const Environment&) {
  constexpr double longest = 838 * 3600 + 59 * 60 + 59;
  const double seconds = std::clamp(*number_of(arguments[0]), -longest, longest);
  return Moment{DateKind::time, std::llround(seconds * 1e6)};
}

SqlValue from_days(Arguments arguments, const Environment&) {
  const auto number = whole_argument(arguments[0]);
  constexpr std::int64_t least = 366;
  constexpr std::int64_t most = 3'652'424;
  if (!number || *number < least || *number > most) return {};
  return Moment{DateKind::date, (*number - days_before_1970) * day_length};
}

SqlValue unix_timestamp(Arguments arguments, const Environment& environment) {
  if (arguments.empty()) return now_of(environment, {}).microseconds / second_length;
  const auto moment = date_argument(arguments[0]);
  if (!moment || moment->microseconds < 0) return std::int64_t{0};
  if (moment->microseconds % second_length == 0) return moment->microseconds / second_length;
  return static_cast<double>(moment->microseconds) / 1e6;
}

constexpr std::array known_date_functions{
    Function{"now", 0, 1, Returns::datetime, false, now},
    Function{"sysdate", 0, 1, Returns::datetime, false, now},
    Function{"current_timestamp", 0, 1, Returns::datetime, false, now},
    Function{"localtime", 0, 1, Returns::datetime, false, now},
    Function{"localtimestamp", 0, 1, Returns::datetime, false, now},
    Function{"utc_timestamp", 0, 1, Returns::datetime, false, now},
    Function{"curdate", 0, 0, Returns::date, false, current_date},
    Function{"current_date", 0, 0, Returns::date, false, current_date},
    Function{"utc_date", 0, 0, Returns::date, false, current_date},
    Function{"curtime", 0, 1, Returns::time, false, current_time},
    Function{"current_time", 0, 1, Returns::time, false, current_time},
    Function{"utc_time", 0, 1, Returns::time, false, current_time},
    Function{"date", 1, 1, Returns::date, false, date},
    Function{"cast date", 1, 1, Returns::date, false, date},
    Function{"time", 1, 1, Returns::time, false, time_of},
    Function{"cast time", 1, 1, Returns::time, false, time_of},
    Function{"timestamp", 1, 1, Returns::datetime, false, datetime_of},
    Function{"cast datetime", 1, 1, Returns::datetime, false, datetime_of},
    Function{"year", 1, 1, Returns::whole, false, part_of_date<year_of>},
    Function{"quarter", 1, 1, Returns::whole, false, part_of_date<quarter_of>},
    Function{"month", 1, 1, Returns::whole, false, part_of_date<month_of>},
    Function{"day", 1, 1, Returns::whole, false, part_of_date<day_of_month>},
    Function{"dayofmonth", 1, 1, Returns::whole, false, part_of_date<day_of_month>},
    Function{"hour", 1, 1, Returns::whole, false, part_of_time<hour_of>},
    Function{"minute", 1, 1, Returns::whole, false, part_of_time<minute_of>},
    Function{"second", 1, 1, Returns::whole, false, part_of_time<second_of>},
    Function{"microsecond", 1, 1, Returns::whole, false, part_of_time<fraction_of>},
    Function{"dayofweek", 1, 1, Returns::whole, false, part_of_date<day_of_week>},
    Function{"weekday", 1, 1, Returns::whole, false, part_of_date<weekday_of>},
    Function{"dayofyear", 1, 1, Returns::whole, false, part_of_date<day_of_year>},
    Function{"week", 1, 2, Returns::whole, false, week},
    Function{"weekofyear", 1, 1, Returns::whole, false, week_of_year},
    Function{"yearweek", 1, 2, Returns::whole, false, year_week},
    Function{"last_day", 1, 1, Returns::date, false, last_day},
    Function{"to_days", 1, 1, Returns::whole, false, part_of_date<days_of_parts>},
    Function{"from_days", 1, 1, Returns::date, false, from_days},
    Function{"time_to_sec", 1, 1, Returns::whole, false, time_to_sec},
    Function{"sec_to_time", 1, 1, Returns::time, false, sec_to_time},
    Function{"unix_timestamp", 0, 1, Returns::values, false, unix_timestamp},
};

}  // namespace

std::span<const Function> date_functions() {
  return known_date_functions;
}

}  // namespace dinette::tablestore::sql
