#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tablestore/api/messages.h"

namespace dinette::tablestore::search {

/// Returns the milliseconds that a zone is ahead of UTC; nothing for one that is not known: `+08:00`, `UTC`,
/// `Asia/Tokyo`. No text is UTC.
std::optional<std::int64_t> read_time_zone(std::string_view zone);

/// Parts of the calendar that follow one another, each with as many units: days, months, ... Times are
/// milliseconds since 1970.
class CalendarParts {
 public:
  /// `zone`: milliseconds ahead of UTC. Returns nothing if the interval is none.
  static std::optional<CalendarParts> read(const api::DateTimeValue& interval, std::int64_t zone);

  /// Returns the beginning of the part that a time is in.
  std::int64_t begin_of(std::int64_t time) const;
  /// Returns the beginning of the part after the one that begins at `begin`.
  std::int64_t next(std::int64_t begin) const;

 private:
  bool of_months() const { return months_ != 0; }

  std::int64_t months_ = 0;        ///< 0: the parts are equally long
  std::int64_t milliseconds_ = 0;  ///< of each part
  std::int64_t origin_ = 0;        ///< where one of the parts begins
  std::int64_t zone_ = 0;          ///< milliseconds ahead of UTC
};

/// Returns the milliseconds of a span of equal units, or nothing for one of months.
std::optional<std::int64_t> milliseconds_of(const api::DateTimeValue& span);

}  // namespace dinette::tablestore::search
