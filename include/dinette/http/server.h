#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/http/message.h"
#include "dinette/tcp/server.h"

namespace dinette::http {

struct Limits {
  /// Maximum size of the body. Larger: 413, before it is read if its size is announced.
  std::size_t body_bytes = 10 * 1024 * 1024;
  /// The same of requests for another path than "/"; 0: as body_bytes.
  std::size_t path_body_bytes = 0;
  /// Maximum size of the request line and all headers. Larger: 431.
  std::size_t header_bytes = 32 * 1024;
  std::size_t header_count = 200;  ///< more: 431
};

struct ServerOptions {
  /// Address, threads, deadlines, TLS. The handler runs on the event loops and must not block, or, if
  /// `tcp.workers` is not 0, on the worker threads. On the loops it may ask to be run again on another thread
  /// (Response::must_wait). A request that misses its deadline gets 408, a connection for which there is no
  /// room or memory 503.
  tcp::ServerOptions tcp = {};
  Limits limits = {};
  /// Called with every response that does not come from the handler (400, 408, 413, 431, 503), before it is
  /// sent; may change it. Of the request there is its `remote`, and with 413 also its method and target.
  /// Called from several threads at once. All of these responses close the connection.
  std::function<void(const Request& request, Response& response)> on_refusal;
  /// The time for the `Date` header.
  std::function<std::time_t()> date_now = [] { return std::time(nullptr); };
};

/// HTTP/1.1 and 1.0 server: keep-alive, pipelining, `Expect: 100-continue`, chunked requests, optional TLS.
/// Public members may be called from any thread, except `stop` and the destructor from inside the handler.
///
///     http::Server server({}, [](const http::Request& request, http::Response& response) {
///       response.content_type = "text/plain";
///       response.body.append("you asked for ").append(request.path());
///     });
///     const auto port = server.start();
class Server {
 public:
  Server(ServerOptions options, Handler handler);
  /// Stops without waiting for requests in flight.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Serves another protocol at a further port, with the same loops, workers and limits. To be called before
  /// start(). `protocols` outlives the server.
  void listen(tcp::PortOptions options, tcp::ProtocolFactory& protocols);
  /// The same for HTTP with another handler. Of the options all but `tcp` count.
  void listen(tcp::PortOptions port, ServerOptions options, Handler handler);

  /// See tcp::Server.
  base::Result<std::uint16_t, std::string> start();
  void stop(std::chrono::milliseconds deadline);
  std::vector<std::string> addresses() const;
  std::vector<std::uint16_t> ports() const;
  std::size_t open_connections() const;
  tcp::ConnectionCounts connections() const;
  void sweep_now();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::http
