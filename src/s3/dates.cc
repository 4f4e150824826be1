#include "s3/dates.h"

#include <ctime>

namespace dinette::s3 {
namespace {

// The program sets no locale, so that names are English.
constexpr const char* form = "%a, %d %b %Y %H:%M:%S GMT";

}  // namespace

std::string http_date(base::TimePoint moment) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(moment).time_since_epoch().count();
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[48];
  return {text, std::strftime(text, sizeof text, form, &utc)};
}

std::optional<std::chrono::sys_seconds> read_http_date(std::string_view text) {
  const std::string terminated(text);
  std::tm fields{};
  const char* const end = strptime(terminated.c_str(), form, &fields);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return std::chrono::sys_seconds(std::chrono::seconds(timegm(&fields)));
}

}  // namespace dinette::s3
