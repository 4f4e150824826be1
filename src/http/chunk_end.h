#pragma once

#include <string_view>

namespace dinette::http {

/// Returns true if `undecoded`, where a chunked body begins, is the end of one without chunks, cut within its
/// five bytes. Beast 1.81 asserts when it sees it grow there.
inline bool is_half_empty_body(std::string_view undecoded) {
  return undecoded.size() < std::string_view("0\r\n\r\n").size() && undecoded.starts_with("0\r\n");
}

}  // namespace dinette::http
