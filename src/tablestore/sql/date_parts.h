#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tablestore/sql/sql_value.h"

/// Dates by their parts, for functions (tablestore/sql.md section 6).
namespace dinette::tablestore::sql {

inline constexpr std::int64_t second_length = 1'000'000;
inline constexpr std::int64_t minute_length = 60 * second_length;
inline constexpr std::int64_t hour_length = 60 * minute_length;
inline constexpr std::int64_t day_length = 24 * hour_length;
inline constexpr std::int64_t days_before_1970 = 719'528;

/// A DATETIME by its parts; one of type DATE is at its first hour.
struct Parts {
  int year = 0;
  int month = 0;
  int day = 0;
  std::int64_t days = 0;  ///< since 1970
  std::int64_t time = 0;  ///< microseconds of the day; of a TIME its length, without its sign

  int weekday() const { return static_cast<int>(((days + 4) % 7 + 7) % 7); }  ///< 0: Sunday
  std::int64_t hour() const { return time / hour_length; }
  std::int64_t minute() const { return time / minute_length % 60; }
  std::int64_t second() const { return time / second_length % 60; }
  std::int64_t fraction() const { return time % second_length; }
};

Parts parts_of(const Moment& moment);

/// Returns the days since 1970.
std::int64_t days_of(int year, int month, int day);
int last_day_of(int year, int month);

std::int64_t year_of(const Parts& parts);
std::int64_t quarter_of(const Parts& parts);
std::int64_t month_of(const Parts& parts);
std::int64_t day_of_month(const Parts& parts);
std::int64_t hour_of(const Parts& parts);
std::int64_t minute_of(const Parts& parts);
std::int64_t second_of(const Parts& parts);
std::int64_t fraction_of(const Parts& parts);
std::int64_t day_of_week(const Parts& parts);
std::int64_t weekday_of(const Parts& parts);
std::int64_t day_of_year(const Parts& parts);
std::int64_t days_of_parts(const Parts& parts);

/// A week and its year, by the modes of MySQL's WEEK: 1 lets weeks begin on Monday, 2 counts from 1, so that
/// days may be in a week of another year, 4 changes which week is the first one: that of the first Sunday or
/// Monday, or that with four days in the year.
struct Week {
  int year = 0;
  std::int64_t number = 0;
};

Week week_of(const Parts& parts, int mode);

/// Returns an argument as a DATE or DATETIME, which numbers and texts may be, too.
std::optional<Moment> date_argument(const SqlValue& value);
/// Returns an argument as what has a time: a TIME, or a DATE or DATETIME.
std::optional<Moment> time_argument(const SqlValue& value);

}  // namespace dinette::tablestore::sql
