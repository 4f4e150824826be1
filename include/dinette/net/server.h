#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/result.h"
#include "dinette/net/http.h"

namespace dinette::net {

/// What a client may ask of the server. Deadlines are kept by a sweep (`ServerOptions::sweep_interval`), so
/// they are exact to that interval.
struct Limits {
  std::size_t body_bytes =
      16 * 1024 * 1024;  ///< Larger: 413. Judged before the body is read where the size is announced.
  std::size_t header_bytes = 32 * 1024;  ///< Request line and all headers. Larger: 431.
  std::size_t header_count = 200;        ///< More: 431.
  std::size_t connections = 4096;        ///< Open at once. For one more the one goes that has been
                                         ///< idle longest; if none is idle, it is answered 503.
  /// Memory of all connections together for requests that have not arrived in whole and for replies that have
  /// not been taken. Beyond it those that hold most are answered 503 or closed.
  std::size_t held_bytes = 512 * 1024 * 1024;
  std::chrono::milliseconds first_byte_deadline{10'000};  ///< For the first request; then it is closed.
  std::chrono::milliseconds idle_deadline{75'000};        ///< Between requests; likewise.
  std::chrono::milliseconds request_deadline{60'000};  ///< First to last byte of a request (408), of the TLS
                                                       ///< handshake, and for the client to take the reply,
                                                       ///< or each 64 KB of it.
};

/// TLS 1.2 or newer. Either both files (PEM), or neither: then a certificate for localhost, 127.0.0.1 and ::1
/// is made in memory.
struct TlsOptions {
  std::string certificate_file;
  std::string key_file;
};

struct ServerOptions {
  std::string address = "127.0.0.1";  ///< IPv4 or IPv6 literal, or "localhost".
  std::uint16_t port = 0;             ///< 0: any free one.
  unsigned threads = 0;               ///< Event loops; 0: one a core.
  /// Threads that run the handler if it may block; 0: it runs on the event loops and must not block.
  unsigned workers = 0;
  /// If the handler runs on the event loops: the most threads that run it again for requests that must wait
  /// for others (HttpReply::must_wait). Started when needed.
  unsigned waiters = 64;
  Limits limits;
  /// Shown every answer that the server gives without asking the handler (400, 408, 413, 431, 503), before it
  /// is sent: may put other words and more headers there. Called from several threads at once. All of them
  /// close the connection.
  std::function<void(std::string_view remote, HttpReply& reply)> on_refusal;
  std::optional<TlsOptions> tls;
  std::chrono::milliseconds sweep_interval{500};
  /// Time for the deadlines; a test hands in its own.
  std::function<std::chrono::steady_clock::time_point()> steady_now = &std::chrono::steady_clock::now;
  /// Time for the `Date` header.
  std::function<std::time_t()> date_now = [] { return std::time(nullptr); };
};

/// HTTP/1.1 and 1.0 server: keep-alive, pipelining, `Expect: 100-continue`, chunked requests, optional TLS.
/// One event loop a core, fed by one acceptor. Every public member may be called from any thread, but `stop`
/// and the destructor not from inside the handler.
class Server {
 public:
  Server(ServerOptions options, Handler handler);
  /// Stops with no patience for requests in flight.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Binds and serves. Returns the port once connections are accepted, or one sentence for the user that says
  /// what is wrong and what to do. To be called once.
  base::Result<std::uint16_t, std::string> start();

  /// Stops accepting, closes idle connections, lets requests in flight finish and their replies be taken, and
  /// returns when no connection is left; what is still open at the deadline is cut. A running handler is
  /// always waited for. Stopping again, or before start, does nothing.
  void stop(std::chrono::milliseconds deadline);

  std::size_t open_connections() const;

  /// Enforces the deadlines now, by `steady_now`, and returns when done; a test calls it instead of sleeping.
  void sweep_now();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::net
