#include "cql/values/calendar.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "dinette/base/ascii.h"

namespace dinette::cql {
namespace {

constexpr std::int64_t milliseconds_per_day = 86'400'000;
constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;

/// Reads between `least` and `most` digits, and takes them from `text`.
std::optional<std::int64_t> take_number(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t length = 0;
  while (length < text.size() && length < most && base::is_digit(text[length])) ++length;
  if (length < least) return std::nullopt;
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + length, number);
  text.remove_prefix(length);
  return number;
}

bool take_character(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

/// A fraction of a second, after its point, in nanoseconds.
std::optional<std::int64_t> take_fraction(std::string_view& text) {
  const std::size_t before = text.size();
  const auto digits = take_number(text, 1, 9);
  if (!digits) return std::nullopt;
  std::int64_t nanoseconds = *digits;
  for (std::size_t i = before - text.size(); i < 9; ++i) nanoseconds *= 10;
  return nanoseconds;
}

/// A zone, in minutes east of UTC: "Z", "UTC", "GMT", "+hh", "+hhmm", "+hh:mm".
std::optional<std::int64_t> take_zone(std::string_view& text) {
  for (const std::string_view name : {"Z", "UTC", "GMT"}) {
    if (base::equal_ignoring_case(text, name)) {
      text = {};
      return 0;
    }
  }
  const bool west = text.starts_with('-');
  if (!west && !text.starts_with('+')) return std::nullopt;
  text.remove_prefix(1);
  const auto hours = take_number(text, 2, 2);
  if (!hours) return std::nullopt;
  std::int64_t minutes = 0;
  if (!text.empty()) {
    take_character(text, ':');
    const auto read = take_number(text, 2, 2);
    if (!read || *read > 59) return std::nullopt;
    minutes = *read;
  }
  minutes += *hours * 60;
  return west ? -minutes : minutes;
}

std::int64_t floor_divided(std::int64_t number, std::int64_t by) {
  return number / by - (number % by < 0 ? 1 : 0);
}

std::string padded(std::int64_t number, int width) {
  char text[24];
  const int length = std::snprintf(text, sizeof text, "%0*lld", width, static_cast<long long>(number));
  return {text, static_cast<std::size_t>(length)};
}

}  // namespace

std::int64_t days_of(const CivilDate& date) {
  // Years begin in March, so that leap days are their last ones.
  const std::int64_t year = date.year - (date.month <= 2 ? 1 : 0);
  const std::int64_t era = floor_divided(year, 400);
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

CivilDate date_of(std::int64_t days) {
  days += 719'468;
  const std::int64_t era = floor_divided(days, 146'097);
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted = (5 * day_of_year + 2) / 153;
  const int month = static_cast<int>(shifted < 10 ? shifted + 3 : shifted - 9);
  const int day = static_cast<int>(day_of_year - (153 * shifted + 2) / 5 + 1);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

std::optional<CivilDate> take_date(std::string_view& text) {
  const bool negative = take_character(text, '-');
  if (!negative) take_character(text, '+');
  const auto year = take_number(text, 1, 7);
  if (!year || !take_character(text, '-')) return std::nullopt;
  const auto month = take_number(text, 1, 2);
  if (!month || !take_character(text, '-')) return std::nullopt;
  const auto day = take_number(text, 1, 2);
  if (!day) return std::nullopt;
  const CivilDate date{negative ? -*year : *year, static_cast<int>(*month), static_cast<int>(*day)};
  if (date.month < 1 || date.month > 12 || date.day < 1) return std::nullopt;
  const CivilDate back = date_of(days_of(date));
  if (back.month != date.month || back.day != date.day) return std::nullopt;
  return date;
}

std::optional<std::int64_t> take_time(std::string_view& text) {
  const auto hours = take_number(text, 1, 2);
  if (!hours || *hours > 23 || !take_character(text, ':')) return std::nullopt;
  const auto minutes = take_number(text, 1, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  std::int64_t seconds = 0;
  std::int64_t fraction = 0;
  if (take_character(text, ':')) {
    const auto read = take_number(text, 1, 2);
    if (!read || *read > 59) return std::nullopt;
    seconds = *read;
    if (take_character(text, '.')) {
      const auto digits = take_fraction(text);
      if (!digits) return std::nullopt;
      fraction = *digits;
    }
  }
  return ((*hours * 60 + *minutes) * 60 + seconds) * nanoseconds_per_second + fraction;
}

std::optional<std::int64_t> read_timestamp(std::string_view text) {
  const auto date = take_date(text);
  if (!date) return std::nullopt;
  std::int64_t milliseconds = days_of(*date) * milliseconds_per_day;
  if (!text.empty() && (text.front() == ' ' || base::to_upper(text.front()) == 'T')) {
    text.remove_prefix(1);
    const auto time = take_time(text);
    if (!time) return std::nullopt;
    milliseconds += *time / 1'000'000;
  }
  take_character(text, ' ');
  if (text.empty()) return milliseconds;
  const auto zone = take_zone(text);
  if (!zone || !text.empty()) return std::nullopt;
  return milliseconds - *zone * 60'000;
}

std::string date_text(std::int64_t days) {
  const CivilDate date = date_of(days);
  return padded(date.year, date.year < 0 ? 5 : 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2);
}

std::string time_text(std::int64_t nanoseconds) {
  const std::int64_t seconds = nanoseconds / nanoseconds_per_second;
  return padded(seconds / 3600, 2) + ":" + padded(seconds / 60 % 60, 2) + ":" + padded(seconds % 60, 2) +
         "." + padded(nanoseconds % nanoseconds_per_second, 9);
}

std::string timestamp_text(std::int64_t milliseconds) {
  const std::int64_t days = floor_divided(milliseconds, milliseconds_per_day);
  const std::int64_t in_day = milliseconds - days * milliseconds_per_day;
  const std::string time = time_text(in_day * 1'000'000);
  return date_text(days) + " " + time.substr(0, 12) + "Z";
}

}  // namespace dinette::cql
