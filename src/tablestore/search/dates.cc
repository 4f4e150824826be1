#include "tablestore/search/dates.h"

#include <charconv>
#include <chrono>
#include <cstddef>

#include "dinette/base/ascii.h"
#include "dinette/base/iso_time.h"

namespace dinette::tablestore::search {
namespace {

using std::chrono::milliseconds;

/// Takes a date apart as a format says, in which letters are the digits of parts and all else is itself.
class DateReader {
 public:
  DateReader(std::string_view text, std::string_view format) : text_(text), format_(format) {}

  std::optional<std::int64_t> read() {
    while (!format_.empty())
      if (!read_piece()) return std::nullopt;
    if (!text_.empty()) return std::nullopt;
    const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year_)),
                                           std::chrono::month(month_), std::chrono::day(day_));
    const auto hour = hour_of_day();
    if (!date.ok() || !hour || minute_ > 59 || second_ > 59) return std::nullopt;
    const auto moment = std::chrono::sys_days(date) + std::chrono::hours(*hour) +
                        std::chrono::minutes(minute_) + std::chrono::seconds(second_) +
                        milliseconds(millisecond_);
    return std::chrono::duration_cast<milliseconds>(moment.time_since_epoch()).count();
  }

 private:
  bool read_piece() {
    const char letter = format_.front();
    std::size_t length = format_.find_first_not_of(letter);
    if (length == std::string_view::npos) length = format_.size();
    if (letter == '\'') return read_quoted();
    if (letter == 'a') return read_half_of_day(length);
    unsigned* const part = part_of(letter);
    if (part == nullptr) length = 1;
    const std::string_view piece = text_.substr(0, length);
    const bool fits = part == nullptr ? piece == format_.substr(0, 1) : read_digits(piece, length, *part);
    if (!fits) return false;
    format_.remove_prefix(length);
    text_.remove_prefix(length);
    return true;
  }

  /// Between quotes letters are themselves.
  bool read_quoted() {
    const std::size_t end = format_.find('\'', 1);
    if (end == std::string_view::npos) return false;
    const std::string_view literal = format_.substr(1, end - 1);
    if (!text_.starts_with(literal)) return false;
    text_.remove_prefix(literal.size());
    format_.remove_prefix(end + 1);
    return true;
  }

  /// AM or PM, in any case.
  bool read_half_of_day(std::size_t length) {
    const std::string_view half = text_.substr(0, 2);
    is_afternoon_ = base::equal_ignoring_case(half, "PM");
    if (!is_afternoon_ && !base::equal_ignoring_case(half, "AM")) return false;
    format_.remove_prefix(length);
    text_.remove_prefix(half.size());
    return true;
  }

  /// Returns nothing for an hour that there is not.
  std::optional<unsigned> hour_of_day() const {
    unsigned hour = hour_of_half_;
    if (clock_hour_ != none) {
      if (clock_hour_ < 1 || clock_hour_ > 12) return std::nullopt;
      hour = clock_hour_ % 12;
    }
    if (hour == none) return hour_ > 23 ? std::nullopt : std::optional(hour_);
    if (hour > 11) return std::nullopt;
    return is_afternoon_ ? hour + 12 : hour;
  }

  static bool read_digits(std::string_view piece, std::size_t length, unsigned& part) {
    const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), part);
    return piece.size() == length && error == std::errc() && end == piece.data() + piece.size();
  }

  unsigned* part_of(char letter) {
    switch (letter) {
      case 'y':
        return &year_;
      case 'M':
        return &month_;
      case 'd':
        return &day_;
      case 'H':
        return &hour_;
      case 'h':
        return &clock_hour_;
      case 'K':
        return &hour_of_half_;
      case 'm':
        return &minute_;
      case 's':
        return &second_;
      case 'S':
        return &millisecond_;
      default:
        return nullptr;
    }
  }

  static constexpr unsigned none = 1'000'000;

  std::string_view text_;
  std::string_view format_;
  unsigned year_ = 1970;
  unsigned month_ = 1;
  unsigned day_ = 1;
  unsigned hour_ = 0;
  unsigned clock_hour_ = none;    ///< 1 to 12
  unsigned hour_of_half_ = none;  ///< 0 to 11
  bool is_afternoon_ = false;
  unsigned minute_ = 0;
  unsigned second_ = 0;
  unsigned millisecond_ = 0;
};

}  // namespace

std::optional<std::int64_t> read_date(std::string_view text, const std::vector<std::string>& formats) {
  for (const std::string& format : formats)
    if (const auto date = DateReader(text, format).read()) return date;
  const auto moment = base::parse_time(text);
  if (!moment) return std::nullopt;
  return std::chrono::floor<milliseconds>(moment->time_since_epoch()).count();
}

std::int64_t read_epoch(std::int64_t number, const std::vector<std::string>& formats) {
  for (const std::string& format : formats) {
    std::int64_t scaled = 0;
    if (format == "epoch_millis") return number;
    if (format == "epoch_second") return __builtin_mul_overflow(number, 1000, &scaled) ? number : scaled;
    if (format == "epoch_micros") return number / 1000;
    if (format == "epoch_nanos") return number / 1'000'000;
  }
  return number;
}

}  // namespace dinette::tablestore::search
