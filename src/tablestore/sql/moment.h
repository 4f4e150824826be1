#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dinette::tablestore::sql {

/// A value of type DATETIME, DATE or TIME, as the functions of SQL return them (tablestore/sql.md section 3).
struct Moment {
  enum class Kind : std::uint8_t { datetime, date, time };

  Kind kind = Kind::datetime;
  std::int64_t microseconds = 0;  ///< since 1970 in UTC; of a TIME: its length, which may be negative

  /// Returns the number that MySQL makes of it, such as 20260131081500.
  double digits() const;
  /// Returns the number by which results have it: microseconds of a DATETIME, seconds of a DATE, nanoseconds
  /// of a TIME.
  std::int64_t encoded() const;

  friend auto operator<=>(const Moment&, const Moment&) = default;
};

/// Reads a DATE or DATETIME (tablestore/sql.md section 6): `2026-01-31`, `26/1/31`, `2026-01-31 08:15:00.25`,
/// `20260131081500`. Returns nothing for other texts, and for dates that there are not.
std::optional<Moment> read_date(std::string_view text);
/// Reads one that is written as a number: 20260131, 20260131081500, 260131.
std::optional<Moment> read_date(std::int64_t digits);

/// Reads a TIME: `-08:15:00`, `08:15`, `1 08:15:00` of a day, `081500`; also a DATE or DATETIME, which has
/// one.
std::optional<Moment> read_time(std::string_view text);
std::optional<Moment> read_time(std::int64_t digits);

/// Returns it as texts have it: `2026-01-31 08:15:00.250000`, `-08:15:00`.
std::string text_of(const Moment& moment);

/// Returns the DATETIME so many seconds after 1970; nothing before that, and after the year 9999.
std::optional<Moment> moment_of_seconds(double seconds);
/// Returns the day of a DATETIME or DATE; nothing of a TIME.
std::optional<Moment> day_of(const Moment& moment);
/// Returns the TIME between two moments of one kind, which is at most 838:59:59; nothing if their kinds
/// differ.
std::optional<Moment> difference(const Moment& of, const Moment& from);

}  // namespace dinette::tablestore::sql
