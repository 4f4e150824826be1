#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

/// The interface between connections and protocols. A protocol does not see sockets: it receives bytes,
/// provides bytes to send, and returns after each event what it wants next.
namespace dinette::tcp {

/// The progress of a connection's requests.
enum class Activity : std::uint8_t {
  idle,     ///< no part of a request has arrived, and none is unanswered
  head,     ///< the beginning of a request has arrived; a stopping server waits only briefly for the rest
  body,     ///< more than the beginning has arrived; the rest has until the request deadline
  working,  ///< complete requests have arrived and are not answered yet
};

/// How a protocol ends its connection.
enum class Ending : std::uint8_t {
  none,
  close,   ///< the client expects it
  linger,  ///< the client may still be sending, which is read and dropped for a while: closing a connection
           ///< with unread bytes would discard the last output
};

/// What a protocol wants from its connection, returned after each event.
struct State {
  Activity activity = Activity::idle;
  bool reads = false;            ///< more bytes are welcome
  bool writes = false;           ///< output() has something to send
  bool more = false;             ///< call resume() again, after the loop's other clients had their turn
  Ending ending = Ending::none;  ///< what follows once nothing is left to send
  /// The number of requests that have arrived completely; may wrap around. When it changes, the deadline of
  /// the next one starts.
  std::uint32_t requests = 0;
};

/// What to send next, in this order: two pieces, so that a head need not be copied before a body.
struct Output {
  std::string_view first;
  std::string_view second;
};

/// Why the server ends a connection.
enum class Cutoff {
  too_slow,       ///< a request was not complete by its deadline
  out_of_memory,  ///< connections hold too much memory, and this one most
  not_tls,        ///< the client speaks HTTP without TLS to a server that speaks TLS
};

/// Work for the loop's thread. Returns the protocol's state afterwards.
using Action = std::function<State()>;
/// Passes an action to the loop's thread. Returns false if the connection is closed. An action is dropped if
/// the connection ends before its turn.
using Post = std::function<bool(Action)>;

/// A connection, as its protocol sees it. Outlives the protocol.
class Link {
 public:
  virtual ~Link() = default;

  /// Runs `work` on a worker thread, then `done` on the loop's thread unless the connection has ended by
  /// then. Several may run at once. The protocol lives until `work` has returned. An exception from either
  /// closes the connection. Throws std::system_error, and runs nothing, if there is no worker thread and none
  /// can be started.
  virtual void run(std::function<void()> work, Action done) = 0;

  /// Returns a function for responses and pushes from other threads. Any thread may call it at any time, even
  /// after the server is gone. It does not keep the connection open.
  virtual Post post() = 0;
};

/// The protocol of one connection. All members are called on the loop's thread, never from within another.
/// Receiving and sending are independent: bytes may arrive while output is being sent, responses may come in
/// any order, and output needs no request. An exception closes the connection.
///
/// tests/tcp/frames.h is an example of a protocol with several requests in flight.
class Protocol {
 public:
  virtual ~Protocol() = default;

  /// Starts, or continues with what has arrived (State::more).
  virtual State resume() = 0;

  /// Returns where the next bytes go; not empty. Must stay in place until received(), whatever else happens.
  virtual std::span<char> room() = 0;
  /// Takes the `n` bytes that were put there.
  virtual State received(std::size_t n) = 0;

  /// Returns what to send now. Must stay unchanged until sent(), whatever else happens.
  virtual Output output() = 0;
  /// Drops the output, which the system has taken completely.
  virtual State sent() = 0;

  /// Drops all requests. Output, if any, is the last before the connection ends. Called only while nothing is
  /// being sent and, for Cutoff::out_of_memory, while no bytes are awaited; otherwise the connection is
  /// closed without this call.
  virtual State refuse(Cutoff why) = 0;
  /// Notes that the server is stopping: the requests that have arrived are the last. The connection ends when
  /// it is idle.
  virtual void drain() = 0;

  /// Returns the bytes kept while waiting for the client: parts of requests, and output.
  virtual std::size_t memory() const = 0;
  /// Releases memory that an idle connection does not need. Called now and then.
  virtual void trim() = 0;
};

struct Peer {
  std::string remote;   ///< "127.0.0.1:40312"
  bool secure = false;  ///< connected over TLS
};

/// Creates the protocol of each connection of a server. Called from several threads at once.
class ProtocolFactory {
 public:
  virtual ~ProtocolFactory() = default;

  /// `link` must not be used before the first call of resume().
  virtual std::unique_ptr<Protocol> make(Link& link, Peer peer) = 0;
  /// Returns what is sent to a client before its connection is closed because the server is full; may be
  /// empty.
  virtual std::string turn_away(const Peer& peer) = 0;
  /// Returns the protocol's name in TLS (ALPN, RFC 7301), such as "http/1.1". A client that asks only for
  /// other protocols is refused. Empty: ALPN is ignored.
  virtual std::string_view alpn() const = 0;
};

}  // namespace dinette::tcp
