#include "dinette/base/iso_time.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "dinette/base/ascii.h"

namespace dinette::base {
namespace {

using std::chrono::microseconds;

constexpr microseconds longest = std::chrono::days(3'652'425);  // 10,000 years
constexpr std::size_t microsecond_digits = 6;

/// A text that is read from its front.
struct Reader {
  std::string_view rest;

  bool skip(char c) {
    if (!rest.starts_with(c)) return false;
    rest.remove_prefix(1);
    return true;
  }

  /// Reads a number of exactly `digits` digits, from `least` to `most`.
  std::optional<int> number(std::size_t digits, int least, int most) {
    if (rest.size() < digits || !std::all_of(rest.begin(), rest.begin() + digits, is_digit))
      return std::nullopt;
    int value = 0;
    std::from_chars(rest.data(), rest.data() + digits, value);
    rest.remove_prefix(digits);
    return value >= least && value <= most ? std::optional(value) : std::nullopt;
  }

  /// Reads digits as what follows the point of a number of seconds.
  std::optional<microseconds> fraction() {
    const auto end = std::ranges::find_if_not(rest, is_digit);
    const auto digits = static_cast<std::size_t>(end - rest.begin());
    if (digits == 0) return std::nullopt;
    std::string kept(rest.substr(0, microsecond_digits).substr(0, digits));
    kept.resize(microsecond_digits, '0');
    std::int64_t value = 0;
    std::from_chars(kept.data(), kept.data() + kept.size(), value);
    rest.remove_prefix(digits);
    return microseconds(value);
  }
};

std::optional<std::chrono::sys_days> read_date(Reader& reader) {
  const auto year = reader.number(4, 1, 9999);
  if (!year || !reader.skip('-')) return std::nullopt;
  const auto month = reader.number(2, 1, 12);
  if (!month || !reader.skip('-')) return std::nullopt;
  const auto day = reader.number(2, 1, 31);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  return date.ok() ? std::optional(std::chrono::sys_days(date)) : std::nullopt;
}

std::optional<std::chrono::minutes> read_hours_and_minutes(Reader& reader) {
  const auto hours = reader.number(2, 0, 23);
  if (!hours || !reader.skip(':')) return std::nullopt;
  const auto minutes = reader.number(2, 0, 59);
  if (!minutes) return std::nullopt;
  return std::chrono::hours(*hours) + std::chrono::minutes(*minutes);
}

std::optional<microseconds> read_seconds(Reader& reader) {
  if (!reader.skip(':')) return microseconds(0);
  const auto seconds = reader.number(2, 0, 59);
  if (!seconds) return std::nullopt;
  const microseconds whole = std::chrono::seconds(*seconds);
  if (!reader.skip('.')) return whole;
  const auto fraction = reader.fraction();
  return fraction ? std::optional(whole + *fraction) : std::nullopt;
}

std::optional<microseconds> read_zone(Reader& reader) {
  if (reader.skip('Z') || reader.skip('z')) return microseconds(0);
  const bool east = reader.skip('+');
  if (!east && !reader.skip('-')) return std::nullopt;
  const auto offset = read_hours_and_minutes(reader);
  if (!offset) return std::nullopt;
  return east ? microseconds(*offset) : -microseconds(*offset);
}

/// Reads a part of a duration: a number and its unit, such as "1.5H". Returns nothing if it is not one, or
/// one that may not follow `units`, whose used part is removed.
std::optional<double> read_part(Reader& reader, std::string_view& units) {
  double value = 0;
  const auto end = std::ranges::find_if_not(reader.rest, [](char c) { return is_digit(c) || c == '.'; });
  const auto size = static_cast<std::size_t>(end - reader.rest.begin());
  const char* const begin = reader.rest.data();
  if (size == 0 || !is_digit(*begin) || size == reader.rest.size()) return std::nullopt;
  const auto read = std::from_chars(begin, begin + size, value);
  if (read.ec != std::errc() || read.ptr != begin + size) return std::nullopt;
  const std::size_t unit = units.find(reader.rest[size]);
  if (unit == std::string_view::npos) return std::nullopt;
  const char letter = units[unit];
  units.remove_prefix(unit + 1);
  reader.rest.remove_prefix(size + 1);
  switch (letter) {
    case 'W':
      return value * 7 * 86'400;
    case 'D':
      return value * 86'400;
    case 'H':
      return value * 3'600;
    case 'M':
      return value * 60;
    default:
      return value;
  }
}

/// Reads at least one part. `seconds` grows by what they are.
bool read_parts(Reader& reader, std::string_view units, double& seconds) {
  do {
    const auto part = read_part(reader, units);
    if (!part) return false;
    seconds += *part;
  } while (!reader.rest.empty() && !reader.rest.starts_with('T'));
  return true;
}

}  // namespace

std::optional<TimePoint> parse_time(std::string_view text) {
  Reader reader{text};
  const auto date = read_date(reader);
  if (!date || !(reader.skip('T') || reader.skip('t'))) return std::nullopt;
  const auto minutes = read_hours_and_minutes(reader);
  if (!minutes) return std::nullopt;
  const auto seconds = read_seconds(reader);
  if (!seconds) return std::nullopt;
  const auto zone = read_zone(reader);
  if (!zone || !reader.rest.empty()) return std::nullopt;
  const TimePoint moment = *date + *minutes + *seconds - *zone;
  const bool possible = moment >= earliest_time && moment <= latest_time;
  return possible ? std::optional(moment) : std::nullopt;
}

std::optional<microseconds> parse_duration(std::string_view text) {
  Reader reader{text};
  const bool negative = reader.skip('-');
  if (!reader.skip('P')) return std::nullopt;
  double seconds = 0;
  if (!reader.rest.starts_with('T') && !read_parts(reader, "WD", seconds)) return std::nullopt;
  if (reader.skip('T') && !read_parts(reader, "HMS", seconds)) return std::nullopt;
  if (!reader.rest.empty()) return std::nullopt;
  return duration_of(negative ? -seconds : seconds);
}

std::optional<microseconds> duration_of(double seconds) {
  const double count = std::round(seconds * 1e6);
  if (!(std::abs(count) <= static_cast<double>(longest.count()))) return std::nullopt;
  return microseconds(static_cast<std::int64_t>(count));
}

}  // namespace dinette::base
