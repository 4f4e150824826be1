#include "dinette/base/time_text.h"

#include <array>
#include <chrono>
#include <cstdio>

namespace dinette::base {

std::string format_time(TimePoint moment) {
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::milliseconds>(moment - day));
  std::array<char, 48> text;
  const int size = std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(date.year()),
      static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
      static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
      static_cast<int>(time.seconds().count()), static_cast<int>(time.subseconds().count()));
  return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace dinette::base
