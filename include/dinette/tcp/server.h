#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "dinette/base/result.h"
#include "dinette/tcp/protocol.h"

namespace dinette::tcp {

/// What clients may ask of the server. Deadlines are kept by a sweep (`ServerOptions::sweep_interval`), so
/// they are exact to that interval.
struct Limits {
  std::size_t connections = 4096;  ///< Open at once. For one more the one goes that has been idle longest; if
                                   ///< none is idle, it is turned away.
  /// Memory of all connections together for requests that have not arrived in whole and for output that has
  /// not been taken. Beyond it those that hold most are refused or closed.
  std::size_t held_bytes = 512 * 1024 * 1024;
  std::chrono::milliseconds first_byte_deadline{10'000};  ///< For the first request; then it is closed.
  std::chrono::milliseconds idle_deadline{75'000};        ///< Between requests; likewise.
  std::chrono::milliseconds request_deadline{60'000};     ///< First to last byte of a request, of the TLS
                                                          ///< handshake, and for the client to take the
                                                          ///< output, or each 64 KB of it.
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
  unsigned threads = 0;               ///< Event loops; 0: one per core.
  /// Threads for the work that protocols hand over (Link::run), started at once; 0: none is.
  unsigned workers = 0;
  /// If `workers` is 0: the most threads for such work. Started when needed.
  unsigned waiters = 64;
  Limits limits = {};
  std::optional<TlsOptions> tls = {};
  std::chrono::milliseconds sweep_interval{500};
  /// Time for the deadlines; a test hands in its own.
  std::function<std::chrono::steady_clock::time_point()> steady_now = &std::chrono::steady_clock::now;
};

/// Accepts connections and runs a protocol on each: one event loop per core, fed by one acceptor. Every
/// public member may be called from any thread, but `stop` and the destructor not from inside a protocol.
///
///     EchoFactory echo;                       // a ProtocolFactory
///     tcp::Server server({.port = 7}, echo);
///     const auto port = server.start();
///     if (!port) return complain(port.error());
///     wait_for_signal();
///     server.stop(std::chrono::seconds(8));
class Server {
 public:
  /// `protocols` outlives the server.
  Server(ServerOptions options, ProtocolFactory& protocols);
  /// Stops with no patience for requests in flight.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Binds and serves. Returns the port once connections are accepted, or one sentence for the user that says
  /// what is wrong and what to do. To be called once.
  base::Result<std::uint16_t, std::string> start();

  /// Stops accepting, closes idle connections, lets requests in flight finish and their answers be taken, and
  /// returns when no connection is left; what is still open at the deadline is cut. Work on worker threads is
  /// always waited for. Stopping again, or before start, does nothing.
  void stop(std::chrono::milliseconds deadline);

  std::size_t open_connections() const;

  /// Enforces the deadlines now, by `steady_now`, and returns when done; a test calls it instead of sleeping.
  void sweep_now();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::tcp
