#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/tcp/protocol.h"
#include "dinette/tcp/self_signed.h"

namespace dinette::tcp {

/// Limits for clients. Deadlines are enforced by a periodic sweep (`ServerOptions::sweep_interval`) and are
/// exact to that interval.
struct Limits {
  /// Maximum concurrent connections. A further one replaces the one that has been idle longest; if none is
  /// idle, it is refused.
  std::size_t connections = 4096;
  /// Memory, over all connections, for incomplete requests and for output that clients have not taken. If it
  /// is exceeded, the connections that hold most are refused or closed.
  std::size_t held_bytes = 512 * 1024 * 1024;
  std::chrono::milliseconds first_byte_deadline{
      10'000};                                         ///< for the first byte, else the connection is closed
  std::chrono::milliseconds idle_deadline{75'000};     ///< between requests, likewise
  std::chrono::milliseconds request_deadline{60'000};  ///< first to last byte of a request, of the TLS
                                                       ///< handshake, and for the client to take the
                                                       ///< output, or each 64 KB of it
};

/// TLS 1.2 or newer. Either both files (PEM), or neither: then a self-signed certificate.
struct TlsOptions {
  std::string certificate_file;
  std::string key_file;
  SelfSigned self_signed = {};  ///< empty: one is created
};

/// Where a server listens.
struct PortOptions {
  /// IPv4 and IPv6 literals, and "localhost": 127.0.0.1 and ::1, as far as the machine has them. "::" and
  /// "0.0.0.0" are every network, of IPv4 and IPv6 as far as the machine has them.
  std::vector<std::string> addresses = {"localhost"};
  std::uint16_t port = 0;  ///< of all addresses; 0 = any free port
  std::optional<TlsOptions> tls = {};
};

struct ServerOptions {
  PortOptions listen = {};
  unsigned threads = 0;  ///< event loops; 0 = one per core
  /// Threads for work that protocols hand over (Link::run), started with the server; 0 = none.
  unsigned workers = 0;
  /// If `workers` is 0: the maximum number of threads for such work, started when needed.
  unsigned waiters = 64;
  Limits limits = {};
  std::chrono::milliseconds sweep_interval{500};
  /// The clock for deadlines; tests replace it.
  std::function<std::chrono::steady_clock::time_point()> steady_now = &std::chrono::steady_clock::now;
};

/// The connections of a server since its start.
struct ConnectionCounts {
  std::size_t open = 0;
  std::uint64_t accepted = 0;  ///< with those that were refused
  std::uint64_t refused = 0;   ///< for lack of room or descriptors
  std::size_t held_bytes = 0;  ///< as Limits::held_bytes counts them
};

/// Accepts connections and runs a protocol on each: one event loop per core, fed by one acceptor. Several
/// ports, each with a protocol of its own, share the loops, the worker threads and the limits. Public members
/// may be called from any thread, except `stop` and the destructor from inside a protocol.
///
///     EchoFactory echo;                       // a ProtocolFactory
///     tcp::Server server({.listen = {.port = 7}}, echo);
///     const auto port = server.start();
///     if (!port) return complain(port.error());
///     wait_for_signal();
///     server.stop(std::chrono::seconds(8));
class Server {
 public:
  /// `protocols` outlives the server.
  Server(ServerOptions options, ProtocolFactory& protocols);
  /// Stops without waiting for requests in flight.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Serves a further port. To be called before start(). `protocols` outlives the server.
  void listen(PortOptions options, ProtocolFactory& protocols);

  /// Binds and serves. Returns the first port once connections are accepted, or one sentence for the user
  /// that says what is wrong and what to do. May be called once.
  base::Result<std::uint16_t, std::string> start();

  /// Stops accepting, closes idle connections, lets requests in flight finish and be answered, and returns
  /// when no connection is left. Connections that are still open at the deadline are closed. Always waits for
  /// work on worker threads. Does nothing if already stopped or never started.
  void stop(std::chrono::milliseconds deadline);

  /// Returns the addresses of the first port, in the order of its options: "127.0.0.1", "::1".
  std::vector<std::string> addresses() const;
  /// Returns the numbers of the ports, the further ones in the order of listen().
  std::vector<std::uint16_t> ports() const;

  std::size_t open_connections() const;
  ConnectionCounts connections() const;

  /// Enforces the deadlines now, by `steady_now`, and returns when done; tests call it instead of sleeping.
  void sweep_now();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::tcp
