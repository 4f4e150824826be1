#include "tablestore/sql/moment.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

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

/// Takes the parts of a text from its front.
class MomentReader {
 public:
  explicit MomentReader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool take(char sign) {
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// Takes a number of `least` to `most` digits.
  std::optional<int> number(std::size_t least, std::size_t most) {
    std::size_t size = 0;
    while (size < most && size < rest_.size() && base::is_digit(rest_[size])) ++size;
    if (size < least) return std::nullopt;
    int number = 0;
    std::from_chars(rest_.data(), rest_.data() + size, number);
    rest_.remove_prefix(size);
    return number;
  }
  /// Takes the digits after a point, up to microseconds.
  std::optional<microseconds> fraction() {
    const std::size_t before = rest_.size();
    const auto digits = number(1, 6);
    if (!digits) return std::nullopt;
    std::int64_t parts = *digits;
    for (std::size_t size = before - rest_.size(); size < 6; ++size) parts *= 10;
    return microseconds(parts);
  }
  /// Takes `08:15:00.25`.
  std::optional<microseconds> time(std::size_t most_digits_of_hours) {
    const auto hour = number(1, most_digits_of_hours);
    if (!hour || !take(':')) return std::nullopt;
    const auto minute = number(2, 2);
    if (!minute || !take(':')) return std::nullopt;
    const auto second = number(2, 2);
    if (!second || *minute > 59 || *second > 59) return std::nullopt;
    microseconds time = hours(*hour) + minutes(*minute) + seconds(*second);
    if (!take('.')) return time;
    const auto parts = fraction();
    return parts ? std::optional(time + *parts) : std::nullopt;
  }
  /// Takes `2026-01-31`: days since 1970.
  std::optional<days> date() {
    const auto year = number(4, 4);
    if (!year || !take('-')) return std::nullopt;
    const auto month = number(1, 2);
    if (!month || !take('-')) return std::nullopt;
    const auto day = number(1, 2);
    if (!day) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(*year),
                                           std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok()) return std::nullopt;
    return std::chrono::sys_days(date).time_since_epoch();
  }

 private:
  std::string_view rest_;
};

std::optional<Moment> read_datetime(std::string_view text) {
  MomentReader in(text);
  const auto day = in.date();
  if (!day) return std::nullopt;
  if (in.at_end()) return Moment{MomentKind::date, microseconds(*day).count()};
  if (!in.take(' ') && !in.take('T')) return std::nullopt;
  const auto time = in.time(2);
  if (!time || *time >= days(1) || !in.at_end()) return std::nullopt;
  return Moment{MomentKind::datetime, (*day + *time).count()};
}

std::optional<Moment> read_time(std::string_view text) {
  MomentReader in(text);
  const bool negative = in.take('-');
  const auto time = in.time(3);
  if (!time || !in.at_end()) return std::nullopt;
  return Moment{MomentKind::time, negative ? -time->count() : time->count()};
}

double digits_of_time(microseconds time) {
  const std::chrono::hh_mm_ss parts(time);
  const double whole = static_cast<double>(parts.hours().count()) * 10'000 +
                       static_cast<double>(parts.minutes().count()) * 100 +
                       static_cast<double>(parts.seconds().count());
  return parts.is_negative() ? -whole : whole;
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

std::optional<Moment> read_moment(std::string_view text) {
  if (auto moment = read_datetime(text)) return moment;
  return read_time(text);
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
