#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dinette::http {

/// Whether two header names (or tokens) are the same: ASCII letters match in either case.
bool same_header_name(std::string_view a, std::string_view b);

struct Header {
  std::string_view name;   ///< As the client wrote it.
  std::string_view value;  ///< Without surrounding white space.
};

/// One request, complete and already inside the limits. Every view points into the connection's buffer and is
/// valid until the handler returns. The body is decoded from chunks, but not from a content encoding.
struct Request {
  std::string_view method;          ///< "POST"; case matters.
  std::string_view target;          ///< Path and query as sent: "/?X-Amz-Algorithm=...".
  std::span<const Header> headers;  ///< In the order sent; a name may repeat.
  std::string_view body;
  std::string_view remote;  ///< "127.0.0.1:40312".
  bool secure = false;      ///< Arrived over TLS.
  bool may_wait = true;     ///< False on an event loop, where waiting would hold up other clients.

  /// The value of the first header of that name; nothing if there is none (an empty header is a value).
  std::optional<std::string_view> header(std::string_view name) const;

  /// The target up to its "?".
  std::string_view path() const { return target.substr(0, target.find('?')); }
  /// What follows the "?" of the target; empty if there is none.
  std::string_view query() const;
};

/// One response. The server writes `Server`, `Date`, `Connection` and `Content-Length` itself
/// (docs/service/wire.md section 2) and takes the rest from here. The object belongs to the connection and is
/// cleared, not freed, between requests: a handler that appends to `body` or `headers` allocates nothing once
/// the connection is warm; moving a string in is just as welcome.
struct Response {
  int status = 200;
  std::string_view content_type;  ///< Of static storage, or a view into the request. Empty: header left out.
  std::string body;
  std::string headers;  ///< Further header lines, ready to send: "x-amz-crc32: 1\r\nx-b: 2\r\n".
  bool close = false;   ///< Close the connection after this response.
  /// Set by a handler that would have to wait where it may not (Request::may_wait): the rest of the response
  /// is ignored, and the handler is called again for the same request, on a thread where it may.
  bool must_wait = false;
  /// What the handler leaves for that second call. The server only carries it.
  std::shared_ptr<void> progress;

  /// Appends a line to `headers`. The value must hold no control characters.
  void add_header(std::string_view name, std::string_view value);

  /// Back to an empty 200; keeps the capacity of the strings.
  void clear();
};

/// Answers a request. Called from several threads at once, but never twice at once for one connection;
/// replies go out in the order of the requests. Called a second time for a request only after
/// Response::must_wait. An exception becomes a 500 with an empty body and is logged.
using Handler = std::function<void(const Request&, Response&)>;

}  // namespace dinette::http
