#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/ascii.h"

#include "tablestore/sql/date_parts.h"
#include "tablestore/sql/functions.h"

namespace dinette::tablestore::sql {
namespace {

using std::string;
using std::string_view;
using DateKind = Moment::Kind;

/// A unit is of months, or of microseconds. One of several, such as DAY_HOUR, says how long each of its
/// numbers is.
struct Unit {
  string_view name;
  std::int64_t months;
  std::array<std::int64_t, 5> lengths;  ///< of the last number first; then zeros
  bool changes_time;

  bool has_several() const { return lengths[1] != 0; }
  std::size_t count() const {
    return static_cast<std::size_t>(std::ranges::find(lengths, 0) - lengths.begin());
  }
};

constexpr std::array units{
    Unit{"microsecond", 0, {1}, true},
    Unit{"second", 0, {second_length}, true},
    Unit{"minute", 0, {minute_length}, true},
    Unit{"hour", 0, {hour_length}, true},
    Unit{"day", 0, {day_length}, false},
    Unit{"week", 0, {7 * day_length}, false},
    Unit{"month", 1, {}, false},
    Unit{"quarter", 3, {}, false},
    Unit{"year", 12, {}, false},
    Unit{"second_microsecond", 0, {1, second_length}, true},
    Unit{"minute_microsecond", 0, {1, second_length, minute_length}, true},
    Unit{"hour_microsecond", 0, {1, second_length, minute_length, hour_length}, true},
    Unit{"day_microsecond", 0, {1, second_length, minute_length, hour_length, day_length}, true},
    Unit{"minute_second", 0, {second_length, minute_length}, true},
    Unit{"hour_minute", 0, {minute_length, hour_length}, true},
    Unit{"hour_second", 0, {second_length, minute_length, hour_length}, true},
    Unit{"day_hour", 0, {hour_length, day_length}, true},
    Unit{"day_minute", 0, {minute_length, hour_length, day_length}, true},
    Unit{"day_second", 0, {second_length, minute_length, hour_length, day_length}, true},
    Unit{"year_month", 1, {1, 12}, false},
};

/// Returns the numbers of a text such as `-1 10:30` for a unit, the last one first; more than the unit has if
/// there are more. Where all are there, microseconds are digits after a point: 1.5 is half a second more.
std::vector<std::int64_t> numbers_of(string_view text, const Unit& unit) {
  constexpr std::int64_t most = 1'000'000'000'000;
  constexpr std::size_t digits_of_microseconds = 6;
  std::vector<std::int64_t> numbers;
  const bool is_negative = text.starts_with('-');
  for (std::size_t i = 0; i < text.size() && numbers.size() <= unit.count();) {
    if (!base::is_digit(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    std::int64_t number = 0;
    for (; i < text.size() && base::is_digit(text[i]); ++i)
      number = std::min(number * 10 + (text[i] - '0'), most);
    const bool is_fraction = unit.lengths[0] == 1 && unit.months == 0 && numbers.size() + 1 == unit.count();
    for (std::size_t digits = i - begin; is_fraction && digits < digits_of_microseconds; ++digits)
      number *= 10;
    numbers.insert(numbers.begin(), is_negative ? -number : number);
  }
  return numbers;
}

/// Returns how many months or microseconds an amount of a unit is; nothing for too much.
std::optional<std::int64_t> amount_of(const SqlValue& amount, const Unit& unit) {
  constexpr double most = 9e17;  // beyond the years that there are
  double all = 0;
  if (unit.has_several()) {
    const auto numbers = numbers_of(text_of(amount), unit);
    if (numbers.size() > unit.count()) return std::nullopt;
    for (std::size_t i = 0; i < numbers.size(); ++i)
      all += static_cast<double>(numbers[i]) * static_cast<double>(unit.lengths[i]);
  } else {
    const double number = *number_of(amount);
    const bool is_seconds = unit.lengths[0] == second_length;
    const double length = static_cast<double>(unit.months != 0 ? unit.months : unit.lengths[0]);
    all = (is_seconds ? number : std::round(number)) * length;
  }
  if (!(std::abs(all) < most)) return std::nullopt;
  return std::llround(all);
}

const Unit* unit_named(string_view name) {
  const auto found = std::ranges::find_if(
      units, [&](const Unit& unit) { return base::equal_ignoring_case(unit.name, name); });
  return found == units.end() ? nullptr : &*found;
}

constexpr std::int64_t months_of_years = 12 * 9999;

/// The last day of a month is as far as a day goes.
std::optional<std::int64_t> plus_months(const Parts& parts, std::int64_t months) {
  if (months < -months_of_years || months > months_of_years) return std::nullopt;
  const std::int64_t all = parts.year * std::int64_t{12} + parts.month - 1 + months;
  if (all < 0 || all >= 12 * 10'000) return std::nullopt;
  const int year = static_cast<int>(all / 12);
  const int month = static_cast<int>(all % 12) + 1;
  const int day = std::min(parts.day, last_day_of(year, month));
  return days_of(year, month, day) * day_length + parts.time;
}

std::optional<Moment> plus(const Moment& moment, std::int64_t amount, const Unit& unit) {
  Moment result = moment;
  if (unit.months != 0) {
    if (moment.kind == DateKind::time) return std::nullopt;
    const auto changed = plus_months(parts_of(moment), amount);
    if (!changed) return std::nullopt;
    result.microseconds = *changed;
    return result;
  }
  if (__builtin_add_overflow(moment.microseconds, amount, &result.microseconds)) return std::nullopt;
  const bool has_date = moment.kind != DateKind::time;
  if (has_date && unit.changes_time) result.kind = DateKind::datetime;
  if (!has_date)
    return std::abs(result.microseconds) < 839 * hour_length ? std::optional(result) : std::nullopt;
  const std::int64_t first = days_of(0, 1, 1) * day_length;
  const std::int64_t end = days_of(10'000, 1, 1) * day_length;
  return result.microseconds >= first && result.microseconds < end ? std::optional(result) : std::nullopt;
}

template <bool subtracts>
SqlValue date_add(Arguments arguments, const Environment&) {
  return add_interval(arguments[0], arguments[1], text_of(arguments[2]), subtracts);
}

SqlValue timestamp_add(Arguments arguments, const Environment&) {
  return add_interval(arguments[2], arguments[1], text_of(arguments[0]), false);
}

std::int64_t months_between(const Parts& from, const Parts& to) {
  const std::int64_t months = (to.year - from.year) * std::int64_t{12} + to.month - from.month;
  const auto place = [](const Parts& parts) { return parts.day * day_length + parts.time; };
  if (months > 0 && place(to) < place(from)) return months - 1;
  if (months < 0 && place(to) > place(from)) return months + 1;
  return months;
}

/// How many whole units lie between.
SqlValue timestamp_diff(Arguments arguments, const Environment&) {
  const Unit* const unit = unit_named(text_of(arguments[0]));
  const auto from = date_argument(arguments[1]);
  const auto to = date_argument(arguments[2]);
  if (unit == nullptr || unit->has_several() || !from || !to) return {};
  if (unit->months != 0) return months_between(parts_of(*from), parts_of(*to)) / unit->months;
  return (to->microseconds - from->microseconds) / unit->lengths[0];
}

SqlValue date_diff(Arguments arguments, const Environment&) {
  const auto end = date_argument(arguments[0]);
  const auto begin = date_argument(arguments[1]);
  return end && begin ? SqlValue(parts_of(*end).days - parts_of(*begin).days) : SqlValue();
}

SqlValue timediff(Arguments arguments, const Environment&) {
  const auto end = time_argument(arguments[0]);
  const auto begin = time_argument(arguments[1]);
  const auto result = end && begin ? difference(*end, *begin) : std::nullopt;
  return result ? SqlValue(*result) : SqlValue();
}

/// The parts of a day and time that EXTRACT writes as one number, from one to another.
struct ExtractedParts {
  string_view name;
  std::size_t first;
  std::size_t last;
};

constexpr std::array extracted_parts{
    ExtractedParts{"hour", 1, 1},
    ExtractedParts{"minute", 2, 2},
    ExtractedParts{"second", 3, 3},
    ExtractedParts{"microsecond", 4, 4},
    ExtractedParts{"day_hour", 0, 1},
    ExtractedParts{"day_minute", 0, 2},
    ExtractedParts{"day_second", 0, 3},
    ExtractedParts{"day_microsecond", 0, 4},
    ExtractedParts{"hour_minute", 1, 2},
    ExtractedParts{"hour_second", 1, 3},
    ExtractedParts{"hour_microsecond", 1, 4},
    ExtractedParts{"minute_second", 2, 3},
    ExtractedParts{"minute_microsecond", 2, 4},
    ExtractedParts{"second_microsecond", 3, 4},
};

std::int64_t digits_of_parts(const Parts& parts, const ExtractedParts& extracted) {
  const std::array<std::int64_t, 5> numbers{parts.day, parts.hour(), parts.minute(), parts.second(),
                                            parts.fraction()};
  constexpr std::array<std::int64_t, 5> units_of_number{1, 100, 100, 100, second_length};
  std::int64_t digits = 0;
  for (std::size_t i = extracted.first; i <= extracted.last; ++i)
    digits = digits * units_of_number[i] + numbers[i];
  return digits;
}

struct ExtractedDate {
  string_view name;
  std::int64_t (*part)(const Parts& parts);
};

constexpr std::array extracted_dates{
    ExtractedDate{"year", year_of},
    ExtractedDate{"quarter", quarter_of},
    ExtractedDate{"month", month_of},
    ExtractedDate{"day", day_of_month},
    ExtractedDate{"week", [](const Parts& parts) { return week_of(parts, 0).number; }},
    ExtractedDate{"year_month", [](const Parts& parts) { return year_of(parts) * 100 + parts.month; }},
};

SqlValue extract(Arguments arguments, const Environment&) {
  const string name = text_of(arguments[0]);
  const auto of_date = std::ranges::find(extracted_dates, string_view(name), &ExtractedDate::name);
  if (of_date != extracted_dates.end()) {
    const auto moment = date_argument(arguments[1]);
    return moment ? SqlValue(of_date->part(parts_of(*moment))) : SqlValue();
  }
  const auto found = std::ranges::find(extracted_parts, string_view(name), &ExtractedParts::name);
  const auto moment = time_argument(arguments[1]);
  if (found == extracted_parts.end() || !moment) return {};
  const std::int64_t digits = digits_of_parts(parts_of(*moment), *found);
  return moment->kind == DateKind::time && moment->microseconds < 0 ? -digits : digits;
}

constexpr std::array known_date_arithmetic{
    Function{"date_add", 3, 3, Returns::values, false, date_add<false>},
    Function{"date_sub", 3, 3, Returns::values, false, date_add<true>},
    Function{"timestampadd", 3, 3, Returns::values, false, timestamp_add},
    Function{"timestampdiff", 3, 3, Returns::whole, false, timestamp_diff},
    Function{"datediff", 2, 2, Returns::whole, false, date_diff},
    Function{"timediff", 2, 2, Returns::time, false, timediff},
    Function{"extract", 2, 2, Returns::whole, false, extract},
};

}  // namespace

bool is_unit_of_time(std::string_view name, bool has_several) {
  const Unit* const unit = unit_named(name);
  return unit != nullptr && (has_several || !unit->has_several());
}

SqlValue add_interval(const SqlValue& value, const SqlValue& amount, std::string_view name, bool subtracts) {
  if (is_null(value) || is_null(amount)) return {};
  const Unit* const unit = unit_named(name);
  const auto* const time = std::get_if<Moment>(&value);
  const auto moment = time != nullptr ? std::optional(*time) : date_argument(value);
  const auto some = unit != nullptr ? amount_of(amount, *unit) : std::nullopt;
  if (!moment || !some) return {};
  const auto result = plus(*moment, subtracts ? -*some : *some, *unit);
  if (!result) return {};
  const bool was_text = std::holds_alternative<string>(value);
  return was_text ? SqlValue(text_of(*result)) : SqlValue(*result);
}

std::span<const Function> date_arithmetic() {
  return known_date_arithmetic;
}

}  // namespace dinette::tablestore::sql
