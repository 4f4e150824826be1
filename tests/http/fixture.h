#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "dinette/http/server.h"

#include "http/client.h"
#include "tcp/test_time.h"

namespace dinette::http {

using tcp::patience_seconds;
using tcp::until;

/// A handler that echoes the request: "POST /x body".
inline void echo(const Request& request, Response& response) {
  response.content_type = "text/plain";
  response.body.append(request.method).append(" ").append(request.target).append(" ").append(request.body);
}

/// A started server on a port of its own.
struct Running {
  explicit Running(Handler handler = &echo, ServerOptions options = {})
      : server(with_time(std::move(options), time), std::move(handler)) {
    const auto started = server.start();
    if (!started) FAIL(started.error());
    port = *started;
  }

  static ServerOptions with_time(ServerOptions options, const tcp::TestTime& time) {
    options.tcp.steady_now = time;
    if (options.tcp.threads == 0) options.tcp.threads = 2;
    return options;
  }

  tcp::TestTime time;
  Server server;
  std::uint16_t port = 0;
};

inline std::string post(std::string_view body, std::string_view headers = "") {
  std::string bytes = "POST / HTTP/1.1\r\nHost: localhost\r\n";
  bytes.append(headers).append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  return bytes.append(body);
}

}  // namespace dinette::http
