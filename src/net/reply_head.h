#pragma once

#include <ctime>
#include <string>
#include <string_view>

#include "dinette/net/http.h"

namespace dinette::net {

/// The `Date` header line, rendered once a second.
class DateLine {
 public:
  /// "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n"; valid until the next call.
  std::string_view at(std::time_t now);

 private:
  std::time_t rendered_ = -1;
  std::string line_;
};

/// Writes the status line and all headers of `reply`, with the empty line, into `out` (its old content is
/// replaced): `Server`, `Date`, `Connection` and `Content-Length` always (facts: wire.md section 2).
void format_reply_head(const HttpReply& reply, bool keep_alive, std::string_view date_line, std::string& out);

}  // namespace dinette::net
