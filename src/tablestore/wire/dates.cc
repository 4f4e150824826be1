#include "tablestore/wire/dates.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>

#include "dinette/base/ascii.h"

namespace dinette::tablestore::wire {
namespace {

/// Returns what is after the last character that the form describes; nothing if the text is not of that form.
std::optional<std::string_view> read(const char* form, const std::string& text, std::tm& parts) {
  parts = {};
  const char* const end = strptime(text.c_str(), form, &parts);
  if (end == nullptr) return std::nullopt;
  return std::string_view(text).substr(static_cast<std::size_t>(end - text.c_str()));
}

/// `rest` is ".", digits, and "Z".
bool is_fraction(std::string_view rest) {
  return rest.size() > 2 && rest.front() == '.' && rest.back() == 'Z' &&
         std::ranges::all_of(rest.substr(1, rest.size() - 2), base::is_digit);
}

base::TimePoint time_of(std::tm parts) {
  return base::TimePoint(std::chrono::seconds(timegm(&parts)));
}

/// Appends so many digits, and a sign.
void append_number(std::string& text, std::int64_t number, int digits, char sign) {
  const std::size_t begin = text.size();
  text.append(static_cast<std::size_t>(digits), '0');
  for (std::size_t place = text.size(); place-- > begin; number /= 10)
    text[place] = static_cast<char>('0' + number % 10);
  text += sign;
}

}  // namespace

std::optional<base::TimePoint> parse_date(std::string_view text) {
  constexpr std::size_t longest = 64;
  if (text.size() > longest) return std::nullopt;
  const std::string copy(text);
  std::tm parts;
  if (const auto rest = read("%Y-%m-%dT%H:%M:%S", copy, parts); rest && is_fraction(*rest))
    return time_of(parts);
  for (const char* form :
       {"%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"}) {
    if (const auto rest = read(form, copy, parts); rest && rest->empty()) return time_of(parts);
  }
  return std::nullopt;
}

std::string format_date(base::TimePoint moment) {
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(moment - day);
  std::string text;
  text.reserve(std::string_view("2026-11-21T00:16:51.000000Z").size());
  append_number(text, static_cast<int>(date.year()), 4, '-');
  append_number(text, static_cast<unsigned>(date.month()), 2, '-');
  append_number(text, static_cast<unsigned>(date.day()), 2, 'T');
  append_number(text, time.hours().count(), 2, ':');
  append_number(text, time.minutes().count(), 2, ':');
  append_number(text, time.seconds().count(), 2, '.');
  append_number(text, time.subseconds().count(), 6, 'Z');
  return text;
}

}  // namespace dinette::tablestore::wire
