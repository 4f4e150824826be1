#include "tablestore/sql/moment.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "dinette/base/ascii.h"

namespace dinette::tablestore::sql {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::minutes;
using std::chrono::seconds;
using MomentKind = Moment::Kind;

/// The most that a TIME can be.
constexpr microseconds longest_time = hours(838) + minutes(59) + seconds(59);
constexpr int last_year = 9999;

bool is_punctuation(char c) {
  return c > ' ' && c < '\x7f' && !base::is_digit(c) && !base::is_letter(c);
}

/// Takes the parts of a text from its front.
class MomentReader {
 public:
  explicit MomentReader(std::string_view text) : rest_(text) { skip_blanks(); }

  std::size_t left() const { return rest_.size(); }
  bool at_digit() const { return !rest_.empty() && base::is_digit(rest_.front()); }
  bool take(char sign) {
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// Takes a sign that a digit follows.
  bool take_before_digit(char sign) {
    const bool is_there = rest_.starts_with(sign) && rest_.size() > 1 && base::is_digit(rest_[1]);
    return is_there && take(sign);
  }
  /// Returns true if there were some.
  bool skip_blanks() {
    const std::size_t before = rest_.size();
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
    return rest_.size() < before;
  }
  /// The same, also of all other signs.
  bool skip_signs(bool with_blanks) {
    const std::size_t before = rest_.size();
    while (!rest_.empty() && (is_punctuation(rest_.front()) || (with_blanks && rest_.front() == ' ')))
      rest_.remove_prefix(1);
    return rest_.size() < before;
  }
  /// Takes a number of at most so many digits; nothing if there is none, or a longer one.
  std::optional<int> number(std::size_t most) {
    std::size_t size = 0;
    while (size < rest_.size() && base::is_digit(rest_[size]) && size <= most) ++size;
    if (size == 0 || size > most) return std::nullopt;
    int number = 0;
    std::from_chars(rest_.data(), rest_.data() + size, number);
    rest_.remove_prefix(size);
    return number;
  }
  /// Takes the digits after a point, up to microseconds.
  microseconds fraction() {
    std::int64_t parts = 0;
    for (std::size_t i = 0; i < 6; ++i) {
      parts *= 10;
      if (!at_digit()) continue;
      parts += rest_.front() - '0';
      rest_.remove_prefix(1);
    }
    return microseconds(parts);
  }

 private:
  std::string_view rest_;
};

/// The numbers of a date and time from the year to the second, as far as they are there.
struct MomentFields {
  std::array<int, 6> numbers{};
  std::size_t count = 0;
  microseconds fraction{0};
};

/// Any signs divide them, blanks or a T the date from the time. What follows does not matter.
MomentFields read_fields(std::string_view text) {
  constexpr std::size_t day = 2;
  constexpr std::size_t most_digits = 6;
  MomentReader in(text);
  MomentFields fields;
  while (fields.count < fields.numbers.size()) {
    const std::size_t place = fields.count;
    const std::size_t before = in.left();
    const auto number = in.number(most_digits);
    if (!number) break;
    const bool is_short_year = place == 0 && before - in.left() <= 2;
    const int century = !is_short_year ? 0 : *number < 70 ? 2000 : 1900;
    fields.numbers[place] = *number + century;
    ++fields.count;
    const bool is_divided =
        place + 1 < fields.numbers.size() && ((place == day && in.take('T')) || in.skip_signs(place == day));
    if (!is_divided) break;
  }
  if (fields.count == fields.numbers.size() && in.take('.')) fields.fraction = in.fraction();
  return fields;
}

std::optional<Moment> moment_of_fields(const MomentFields& fields) {
  constexpr std::size_t of_date = 3;
  const auto& numbers = fields.numbers;
  if (fields.count < of_date || numbers[0] > last_year || numbers[3] > 23 || numbers[4] > 59 ||
      numbers[5] > 59)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(numbers[0]),
                                         std::chrono::month(static_cast<unsigned>(numbers[1])),
                                         std::chrono::day(static_cast<unsigned>(numbers[2]))};
  // The library keeps the last eight bits of a month and a day.
  if (!date.ok() || numbers[1] > 12 || numbers[2] > 31) return std::nullopt;
  const microseconds day = std::chrono::sys_days(date).time_since_epoch();
  const microseconds time = hours(numbers[3]) + minutes(numbers[4]) + seconds(numbers[5]) + fields.fraction;
  return Moment{fields.count == of_date ? MomentKind::date : MomentKind::datetime, (day + time).count()};
}

/// Returns the digits of a text that has no others, but those after a point.
std::optional<std::int64_t> digits_of_moment(std::string_view text) {
  constexpr std::size_t most = 14;
  const auto size = static_cast<std::size_t>(std::ranges::find_if_not(text, base::is_digit) - text.begin());
  constexpr std::size_t least_with_point = 6;  // as in 2020.1.2 it may follow the year
  const bool is_followed = size < text.size() && (text[size] != '.' || size < least_with_point);
  if (size == 0 || size > most || is_followed) return std::nullopt;
  std::int64_t digits = 0;
  std::from_chars(text.data(), text.data() + size, digits);
  return digits;
}

/// A clock that is too long is as long as can be.
std::optional<Moment> time_of_clock(bool is_negative, std::int64_t hour, std::int64_t minute,
                                    std::int64_t second, microseconds fraction) {
  constexpr std::int64_t too_many_hours = 839;
  if (minute > 59 || second > 59) return std::nullopt;
  const microseconds time =
      hours(std::min(hour, too_many_hours)) + minutes(minute) + seconds(second) + fraction;
  const std::int64_t length = std::min(time, longest_time).count();
  return Moment{MomentKind::time, is_negative ? -length : length};
}

/// Reads `10:11:12`, `10:11`, `1 10:11:12` of a day, and digits of which the last two are seconds.
std::optional<Moment> read_clock(std::string_view text) {
  constexpr std::size_t most_digits = 9;
  MomentReader in(text);
  const bool is_negative = in.take('-');
  const auto first = in.number(most_digits);
  if (!first) return std::nullopt;
  std::array<std::int64_t, 3> clock{*first};
  std::int64_t day = 0;
  const bool has_days = in.skip_blanks() && in.at_digit();
  if (has_days) {
    day = *first;
    const auto hour = in.number(most_digits);
    if (!hour) return std::nullopt;
    clock[0] = *hour;
  }
  std::size_t count = 1;
  while (count < clock.size() && in.take_before_digit(':')) {
    const auto number = in.number(most_digits);
    if (!number) return std::nullopt;
    clock[count++] = *number;
  }
  if (!has_days && count == 1) clock = {*first / 10'000, *first / 100 % 100, *first % 100};
  const microseconds fraction = in.take('.') ? in.fraction() : microseconds(0);
  return time_of_clock(is_negative, day * 24 + clock[0], clock[1], clock[2], fraction);
}

/// A year of two digits is one of 1970 to 2069.
std::int64_t with_century(std::int64_t day) {
  constexpr std::int64_t first_of_1970 = 700'101;
  constexpr std::int64_t end_of_two_digits = 1'000'000;
  if (day < 101 || day >= end_of_two_digits) return day;
  return day + (day < first_of_1970 ? 20'000'000 : 19'000'000);
}

double digits_of_time(microseconds time) {
  const std::chrono::hh_mm_ss parts(time);
  const double whole = static_cast<double>(parts.hours().count()) * 10'000 +
                       static_cast<double>(parts.minutes().count()) * 100 +
                       static_cast<double>(parts.seconds().count());
  return parts.is_negative() ? -whole : whole;
}

std::string padded(std::int64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return text;
}

}  // namespace

double Moment::digits() const {
  const std::chrono::microseconds all(microseconds);
  if (kind == MomentKind::time) return digits_of_time(all);
  const auto day = std::chrono::floor<days>(all);
  const std::chrono::year_month_day date{std::chrono::sys_days(day)};
  const double whole = static_cast<int>(date.year()) * 10'000.0 +
                       static_cast<unsigned>(date.month()) * 100.0 + static_cast<unsigned>(date.day());
  return kind == MomentKind::date ? whole : whole * 1'000'000 + digits_of_time(all - day);
}

std::int64_t Moment::encoded() const {
  constexpr std::int64_t microseconds_per_second = 1'000'000;
  constexpr std::int64_t nanoseconds_per_microsecond = 1'000;
  if (kind == MomentKind::date) return microseconds / microseconds_per_second;
  return kind == MomentKind::time ? microseconds * nanoseconds_per_microsecond : microseconds;
}

std::optional<Moment> read_date(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (const auto digits = digits_of_moment(text)) return read_date(*digits);
  return moment_of_fields(read_fields(text));
}

std::optional<Moment> read_time(std::string_view text) {
  constexpr std::size_t least_with_date = 12;
  const auto digits = digits_of_moment(text);
  const bool is_date = digits ? text.size() >= least_with_date && text.find('.') >= least_with_date
                              : text.find_first_of("-/", 1) != std::string_view::npos;
  if (is_date)
    if (auto moment = read_date(text)) return moment;
  return read_clock(text);
}

std::optional<Moment> read_time(std::int64_t digits) {
  constexpr std::int64_t least_with_date = 10'000'000'000;
  if (digits >= least_with_date) return read_date(digits);
  if (digits <= -least_with_date) return std::nullopt;
  const std::int64_t clock = std::abs(digits);
  return time_of_clock(digits < 0, clock / 10'000, clock / 100 % 100, clock % 100, microseconds(0));
}

std::optional<Moment> read_date(std::int64_t digits) {
  constexpr std::int64_t least_with_time = 100'000'000;
  constexpr std::int64_t digits_of_clock = 1'000'000;
  const bool has_time = digits >= least_with_time;
  const std::int64_t day = with_century(has_time ? digits / digits_of_clock : digits);
  const std::int64_t clock = has_time ? digits % digits_of_clock : 0;
  constexpr std::int64_t least_day = 10'000;
  if (day < least_day || day / least_day > last_year || clock / 10'000 > 23) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(day / 10'000)),
                                         std::chrono::month(static_cast<unsigned>(day / 100 % 100)),
                                         std::chrono::day(static_cast<unsigned>(day % 100))};
  if (!date.ok() || clock / 100 % 100 > 59 || clock % 100 > 59) return std::nullopt;
  const microseconds begin = std::chrono::sys_days(date).time_since_epoch();
  const microseconds time = hours(clock / 10'000) + minutes(clock / 100 % 100) + seconds(clock % 100);
  return Moment{has_time ? MomentKind::datetime : MomentKind::date, (begin + time).count()};
}

std::string text_of(const Moment& moment) {
  const microseconds all(moment.microseconds);
  std::string text;
  microseconds time = all;
  if (moment.kind != MomentKind::time) {
    const auto day = std::chrono::floor<days>(all);
    const std::chrono::year_month_day date{std::chrono::sys_days(day)};
    text = padded(static_cast<int>(date.year()), 4) + '-' + padded(static_cast<unsigned>(date.month()), 2) +
           '-' + padded(static_cast<unsigned>(date.day()), 2);
    if (moment.kind == MomentKind::date) return text;
    text += ' ';
    time -= day;
  }
  const std::chrono::hh_mm_ss parts(time);
  if (parts.is_negative()) text += '-';
  text += padded(parts.hours().count(), 2) + ':' + padded(parts.minutes().count(), 2) + ':' +
          padded(parts.seconds().count(), 2);
  const auto rest = parts.subseconds().count();
  return rest == 0 ? text : text + '.' + padded(rest, 6);
}

std::optional<Moment> moment_of_seconds(double seconds_since_1970) {
  constexpr auto end = std::chrono::sys_days(std::chrono::year(last_year + 1) / 1 / 1).time_since_epoch();
  if (!(seconds_since_1970 >= 0) || seconds_since_1970 >= static_cast<double>(seconds(end).count()))
    return std::nullopt;
  return Moment{MomentKind::datetime, std::llround(seconds_since_1970 * 1e6)};
}

std::optional<Moment> day_of(const Moment& moment) {
  if (moment.kind == MomentKind::time) return std::nullopt;
  const auto day = std::chrono::floor<days>(microseconds(moment.microseconds));
  return Moment{MomentKind::date, microseconds(day).count()};
}

std::optional<Moment> difference(const Moment& of, const Moment& from) {
  if (of.kind != from.kind) return std::nullopt;
  const std::int64_t most = longest_time.count();
  return Moment{MomentKind::time, std::clamp(of.microseconds - from.microseconds, -most, most)};
}

}  // namespace dinette::tablestore::sql
