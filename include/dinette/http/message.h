#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dinette::base {
class Pending;
}

namespace dinette::http {

/// Returns true if two header names (or tokens) are the same, ignoring the case of ASCII letters.
bool same_header_name(std::string_view a, std::string_view b);

struct Header {
  std::string_view name;   ///< as the client wrote it
  std::string_view value;  ///< without surrounding white space
};

/// One request, complete and within the limits. Every view points into the connection's buffer and is valid
/// until the handler returns. The body is decoded from chunks, but not from a content encoding.
struct Request {
  std::string_view method;          ///< "POST"; case matters
  std::string_view target;          ///< path and query as sent: "/items?page=2"
  std::span<const Header> headers;  ///< in the order sent; a name may repeat
  std::string_view body;
  std::string_view remote;       ///< "127.0.0.1:40312"
  std::string_view region = {};  ///< of the endpoint that it was sent to; empty if that is of all regions
  bool secure = false;           ///< arrived over TLS
  bool may_wait = true;          ///< false on an event loop, where waiting would block other clients

  /// Returns the value of the first header of that name; nothing if there is none (an empty header has a
  /// value).
  std::optional<std::string_view> header(std::string_view name) const;

  /// Returns the target up to its "?".
  std::string_view path() const { return target.substr(0, target.find('?')); }
  /// Returns what follows the "?" of the target; empty if there is none.
  std::string_view query() const;
};

/// Something that a response has to wait for, while no thread does (base/pending.h).
using Deferral = base::Pending;

/// One response. The server writes `Server`, `Date`, `Connection` and `Content-Length` itself
/// (docs/service/wire.md section 2) and takes the rest from here. The object belongs to the connection and is
/// cleared, not freed, between requests: a handler that appends to `body` or `headers` allocates nothing once
/// the connection is warm; moving a string in is equally cheap.
struct Response {
  int status = 200;
  std::string_view content_type;  ///< of static storage, or a view into the request; empty: header left out
  std::string body;
  std::string headers;  ///< further header lines, ready to send: "X-A: 1\r\nX-B: 2\r\n"
  bool close = false;   ///< close the connection after this response
  /// The length to announce where it is not that of `body`: for HEAD, and with `rest`.
  std::optional<std::uint64_t> length;
  /// If set, `body` is only the beginning, at least one byte. Called on a thread where it may wait, each time
  /// all has been sent, to put the next bytes into the empty `body`, until these are `length` in total.
  /// Returns false, or throws, if there are none: the connection is then closed. Not called for HEAD.
  std::function<bool(std::string& body)> rest;
  /// Close the connection without sending anything of this response, as if the network had failed.
  bool drop = false;
  /// Set by a handler that would have to wait but may not (Request::may_wait): the rest of the response is
  /// ignored, and the handler is called again for the same request: when what it has begun is due
  /// (base::PendingWork), else on a thread where it may wait.
  bool must_wait = false;
  /// Data of the handler for that second call, opaque to the server.
  std::shared_ptr<void> progress;
  /// Holds the response back until it is due. Together with must_wait, from a call that might wait, there is
  /// no response yet: the handler is called again when it is due, and finds it here.
  std::shared_ptr<Deferral> deferral;

  /// Appends a line to `headers`. The value must hold no control characters.
  void add_header(std::string_view name, std::string_view value);

  /// Resets to an empty 200, keeping the capacity of the strings.
  void clear();
};

/// Answers a request. Called from several threads at once, but only once at a time per connection; responses
/// are sent in the order of the requests. Called again for a request only after Response::must_wait.
/// An exception becomes a 500 with an empty body and is logged.
using Handler = std::function<void(const Request&, Response&)>;

/// Calls a handler outside a server. The request may wait; deferred responses are waited for.
void answer_here(const Handler& handler, const Request& request, Response& response);

}  // namespace dinette::http
