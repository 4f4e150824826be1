#pragma once

#include <ctime>
#include <string>
#include <string_view>

#include "dinette/http/message.h"

namespace dinette::http {

/// The `Date` header line, rendered once per second.
class DateLine {
 public:
  /// Returns "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"; valid until the next call.
  std::string_view at(std::time_t now);

 private:
  std::time_t rendered_ = -1;
  std::string line_;
};

/// Writes the status line and all headers of `response`, with the empty line, into `out` (its old content is
/// replaced): `Server`, `Date`, `Connection` and `Content-Length` always (docs/service/wire.md section 2).
void format_response_head(const Response& response, bool keep_alive, std::string_view date_line,
                          std::string& out);

}  // namespace dinette::http
