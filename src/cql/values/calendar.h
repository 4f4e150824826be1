#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Dates and times as texts, of the proleptic Gregorian calendar, for years as far as the type `date`
/// reaches: -5877641 to 5881580.
namespace dinette::cql {

struct CivilDate {
  std::int64_t year = 1970;
  int month = 1;
  int day = 1;
};

/// Days since 1970-01-01.
std::int64_t days_of(const CivilDate& date);
CivilDate date_of(std::int64_t days);

/// Reads "yyyy-mm-dd"; the year may have a sign and more digits. Takes what it has read from `text`. Returns
/// nullopt if there is no such day.
std::optional<CivilDate> take_date(std::string_view& text);
/// Reads "hh:mm[:ss[.fffffffff]]" as nanoseconds since midnight, and takes it from `text`.
std::optional<std::int64_t> take_time(std::string_view& text);
/// Reads a time as CQL writes it, in milliseconds since 1970; without a zone it is in UTC
/// (docs/service-keyspaces/types.md section 3).
std::optional<std::int64_t> read_timestamp(std::string_view text);

/// Returns "2026-01-31".
std::string date_text(std::int64_t days);
/// Returns "08:12:54.123456789".
std::string time_text(std::int64_t nanoseconds);
/// Returns "2026-01-31 08:15:00.250Z".
std::string timestamp_text(std::int64_t milliseconds);

}  // namespace dinette::cql
