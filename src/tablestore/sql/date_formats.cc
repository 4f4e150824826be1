#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "tablestore/sql/date_parts.h"
#include "tablestore/sql/functions.h"

namespace dinette::tablestore::sql {
namespace {

using std::string;
using std::string_view;

constexpr std::array<string_view, 12> month_names{"January",   "February", "March",    "April",
                                                  "May",       "June",     "July",     "August",
                                                  "September", "October",  "November", "December"};
constexpr std::array<string_view, 7> day_names{"Sunday",   "Monday", "Tuesday", "Wednesday",
                                               "Thursday", "Friday", "Saturday"};

SqlValue day_name(Arguments arguments, const Environment&) {
  const auto moment = date_argument(arguments[0]);
  return moment ? SqlValue(string(day_names[static_cast<std::size_t>(parts_of(*moment).weekday())]))
                : SqlValue();
}

SqlValue month_name(Arguments arguments, const Environment&) {
  const auto moment = date_argument(arguments[0]);
  return moment ? SqlValue(string(month_names[static_cast<std::size_t>(parts_of(*moment).month - 1)]))
                : SqlValue();
}

string in_digits(std::int64_t number, std::size_t least) {
  string text = std::to_string(number);
  if (text.size() < least) text.insert(0, least - text.size(), '0');
  return text;
}

string clock_12(const Parts& parts) {
  return in_digits((parts.hour() + 11) % 12 + 1, 2);
}

string half_of(const Parts& parts) {
  return parts.hour() % 24 < 12 ? "AM" : "PM";
}

string minutes_and_seconds(const Parts& parts) {
  return ':' + in_digits(parts.minute(), 2) + ':' + in_digits(parts.second(), 2);
}

string clock_24(const Parts& parts) {
  return in_digits(parts.hour(), 2) + minutes_and_seconds(parts);
}

string with_suffix(int day) {
  const bool is_teen = day >= 11 && day <= 13;
  const int last = is_teen ? 0 : day % 10;
  return std::to_string(day) + (last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

string name_of_day(const Parts& parts) {
  return string(day_names[static_cast<std::size_t>(parts.weekday())]);
}

string name_of_month(const Parts& parts) {
  return parts.month == 0 ? string() : string(month_names[static_cast<std::size_t>(parts.month - 1)]);
}

struct Specifier {
  char letter;
  string (*text)(const Parts& parts);
};

constexpr std::array specifiers{
    Specifier{'a', [](const Parts& p) { return name_of_day(p).substr(0, 3); }},
    Specifier{'b', [](const Parts& p) { return name_of_month(p).substr(0, 3); }},
    Specifier{'c', [](const Parts& p) { return std::to_string(p.month); }},
    Specifier{'D', [](const Parts& p) { return with_suffix(p.day); }},
    Specifier{'d', [](const Parts& p) { return in_digits(p.day, 2); }},
    Specifier{'e', [](const Parts& p) { return std::to_string(p.day); }},
    Specifier{'f', [](const Parts& p) { return in_digits(p.fraction(), 6); }},
    Specifier{'H', [](const Parts& p) { return in_digits(p.hour(), 2); }},
    Specifier{'h', clock_12},
    Specifier{'I', clock_12},
    Specifier{'i', [](const Parts& p) { return in_digits(p.minute(), 2); }},
    Specifier{'j', [](const Parts& p) { return in_digits(day_of_year(p), 3); }},
    Specifier{'k', [](const Parts& p) { return std::to_string(p.hour()); }},
    Specifier{'l', [](const Parts& p) { return std::to_string((p.hour() + 11) % 12 + 1); }},
    Specifier{'M', name_of_month},
    Specifier{'m', [](const Parts& p) { return in_digits(p.month, 2); }},
    Specifier{'p', half_of},
    Specifier{'r', [](const Parts& p) { return clock_12(p) + minutes_and_seconds(p) + ' ' + half_of(p); }},
    Specifier{'S', [](const Parts& p) { return in_digits(p.second(), 2); }},
    Specifier{'s', [](const Parts& p) { return in_digits(p.second(), 2); }},
    Specifier{'T', clock_24},
    Specifier{'U', [](const Parts& p) { return in_digits(week_of(p, 0).number, 2); }},
    Specifier{'u', [](const Parts& p) { return in_digits(week_of(p, 1).number, 2); }},
    Specifier{'V', [](const Parts& p) { return in_digits(week_of(p, 2).number, 2); }},
    Specifier{'v', [](const Parts& p) { return in_digits(week_of(p, 3).number, 2); }},
    Specifier{'W', name_of_day},
    Specifier{'w', [](const Parts& p) { return std::to_string(p.weekday()); }},
    Specifier{'X', [](const Parts& p) { return in_digits(week_of(p, 2).year, 4); }},
    Specifier{'x', [](const Parts& p) { return in_digits(week_of(p, 3).year, 4); }},
    Specifier{'Y', [](const Parts& p) { return in_digits(p.year, 4); }},
    Specifier{'y', [](const Parts& p) { return in_digits(p.year % 100, 2); }},
};

/// What is no specifier is itself. Each one takes longer than other parts of texts do.
SqlValue formatted(const Moment& moment, string_view format, const Environment& environment) {
  constexpr std::size_t bytes_of_step = 8;
  if (environment.budget != nullptr) environment.budget->spend(format.size() / bytes_of_step);
  const Parts parts = parts_of(moment);
  string text;
  constexpr std::size_t most = 65'536;
  for (std::size_t i = 0; i < format.size() && text.size() <= most; ++i) {
    if (format[i] != '%' || i + 1 == format.size()) {
      text += format[i];
      continue;
    }
    const char letter = format[++i];
    const auto found = std::ranges::find(specifiers, letter, &Specifier::letter);
    text += found == specifiers.end() ? string(1, letter) : found->text(parts);
  }
  return text.size() > most ? SqlValue() : SqlValue(std::move(text));
}

SqlValue date_format(Arguments arguments, const Environment& environment) {
  const auto moment = date_argument(arguments[0]);
  return moment ? formatted(*moment, text_of(arguments[1]), environment) : SqlValue();
}

SqlValue time_format(Arguments arguments, const Environment& environment) {
  const auto moment = time_argument(arguments[0]);
  return moment ? formatted(*moment, text_of(arguments[1]), environment) : SqlValue();
}

SqlValue from_unixtime(Arguments arguments, const Environment& environment) {
  const auto moment = moment_of_seconds(*number_of(arguments[0]));
  if (!moment) return {};
  return arguments.size() > 1 ? formatted(*moment, text_of(arguments[1]), environment) : SqlValue(*moment);
}

constexpr std::array known_date_formats{
    Function{"dayname", 1, 1, Returns::text, false, day_name},
    Function{"monthname", 1, 1, Returns::text, false, month_name},
    Function{"from_unixtime", 1, 1, Returns::datetime, false, from_unixtime},
    Function{"from_unixtime format", 2, 2, Returns::text, false, from_unixtime},
    Function{"date_format", 2, 2, Returns::text, false, date_format},
    Function{"time_format", 2, 2, Returns::text, false, time_format},
};

}  // namespace

std::span<const Function> date_formats() {
  return known_date_formats;
}

}  // namespace dinette::tablestore::sql
