#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/tcp/stream.h"

namespace dinette::http {

/// A request to another server. `Host`, `Connection` and `Content-Length` are added. Only the body may
/// contain control characters.
struct ClientRequest {
  std::string method = "GET";
  std::string target = "/";  ///< path and query
  std::string headers = {};  ///< further header lines, ready to send: "X-A: 1\r\nX-B: 2\r\n"
  std::string body = {};
};

struct ClientResponse {
  std::string status_line;  ///< "HTTP/1.1 200 OK", with the usual reason phrase if the server sent none
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers;  ///< in the order sent; a name may repeat
  std::string body;  ///< decoded from chunks, but not from a content encoding

  /// Returns the value of the first header of that name, in either case; nothing if there is none.
  std::optional<std::string_view> header(std::string_view name) const;
};

struct ClientLimits {
  std::chrono::milliseconds timeout{30'000};  ///< in total, from connecting to the end of the response;
                                              ///< but see tcp::Stream::connect
  std::size_t header_bytes = 32 * 1024;       ///< of the response's head
  std::size_t body_bytes = 10 * 1024 * 1024;  ///< of the response, decoded from chunks
};

enum class ClientError {
  unreachable,  ///< no connection: the host is unknown, refuses, or does not accept in time
  no_tls,       ///< the server does not speak TLS
  untrusted,    ///< the server's certificate did not pass (tcp::Remote::verify)
  timed_out,    ///< connected, but the response did not come in time
  broken,       ///< the connection ended before the response did
  not_http,     ///< what arrived is not an HTTP/1 response
  too_large,    ///< the response is over a limit
};

/// Returns the `Host` that fetch() adds to requests for this server.
std::string host_of(const tcp::Remote& server);

/// Sends one request, over a separate connection, and returns the response, whatever its status. Does not
/// follow redirects. Blocks; must not be called on an event loop. Times out shortly after `stop` is
/// requested.
///
///     const auto response = http::fetch({.port = 8000}, {.method = "OPTIONS"}, {.timeout = 2s});
///     if (!response) return complain(response.error());
///     return response->status == 200;
base::Result<ClientResponse, ClientError> fetch(const tcp::Remote& server, const ClientRequest& request,
                                                const ClientLimits& limits = {}, std::stop_token stop = {});

}  // namespace dinette::http
