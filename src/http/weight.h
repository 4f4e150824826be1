#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

namespace dinette::http {

/// Reads the weight of an element of a list, such as the "0.5" of "gzip;q=0.5" (RFC 9110 section 12.4.2):
/// limited to 0 to 1, and 1 if it is no number.
inline double read_weight(std::string_view number) {
  const char* const end = number.data() + number.size();
  double weight = 0;
  const auto read = std::from_chars(number.data(), end, weight);
  if (read.ec != std::errc() || read.ptr != end || std::isnan(weight)) return 1;
  return std::clamp(weight, 0.0, 1.0);
}

}  // namespace dinette::http
