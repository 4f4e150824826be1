#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

/// The seam between connections and what they speak. A protocol is free of sockets: it is given bytes, says
/// what to send, and tells after each event what it wants next.
namespace dinette::tcp {

/// How far the requests of a connection are.
enum class Activity : std::uint8_t {
  idle,     ///< nothing of a request is here, and none is unanswered
  head,     ///< the beginning of a request is here; a stopping server waits only briefly for the rest
  body,     ///< more of a request is here than its beginning; the rest has until the request deadline
  working,  ///< requests are here, each in whole, and are not answered yet
};

/// How a protocol ends its connection.
enum class Ending : std::uint8_t {
  none,
  close,   ///< the client expects it
  linger,  ///< the client may still be sending: that is read and dropped for a while, because a connection
           ///< closed over unread bytes takes the last output away from the client
};

/// What a protocol wants of its connection; returned after each event.
struct State {
  Activity activity = Activity::idle;
  bool reads = false;   ///< more bytes are welcome
  bool writes = false;  ///< output() has something to send
  bool more = false;    ///< resume() is to be called again, after the loop's other clients had a turn
  Ending ending = Ending::none;  ///< what follows once nothing is left to send
  /// How many requests have arrived in whole; may wrap around. When it changes, the deadline of the next one
  /// begins.
  std::uint32_t requests = 0;
};

/// What to send next, in this order. Two pieces, so that a head need not be copied in front of a body.
struct Output {
  std::string_view first;
  std::string_view second;
};

/// Why the server ends a connection.
enum class Cutoff {
  too_slow,       ///< a request was not complete by its deadline
  out_of_memory,  ///< connections hold too much, and this one most
  not_tls,        ///< the client speaks HTTP without TLS to a server that speaks TLS
};

/// Work for the loop's thread. Returns the protocol's state after it.
using Action = std::function<State()>;
/// Hands an action to the loop's thread. Returns false if the connection is closed. An action is dropped if
/// the connection ends before its turn.
using Post = std::function<bool(Action)>;

/// A connection, as its protocol sees it. Outlives the protocol.
class Link {
 public:
  virtual ~Link() = default;

  /// Runs `work` on a worker thread and then `done` on the loop's thread, unless the connection has ended by
  /// then. Several may be under way at once. The protocol lives until `work` has returned. An exception from
  /// either of them closes the connection. Throws std::system_error, and runs nothing, if there is no worker
  /// thread and none can be started.
  virtual void run(std::function<void()> work, Action done) = 0;

  /// Returns a function for answers and pushes that come from elsewhere. Any thread may call it at any time,
  /// even after the server is gone. It does not keep the connection open.
  virtual Post post() = 0;
};

/// One connection's protocol. All members are called on the loop's thread, none of them from within another.
/// Receiving and sending are independent: bytes may arrive while output is being sent, answers may come in
/// any order, and output needs no request. An exception closes the connection.
///
/// tests/tcp/frames.h is an example of a protocol with several requests in flight.
class Protocol {
 public:
  virtual ~Protocol() = default;

  /// Begins, or goes on with what is here (State::more).
  virtual State resume() = 0;

  /// Returns where the next bytes go; not empty. It must stay in place until received(), whatever else
  /// happens.
  virtual std::span<char> room() = 0;
  /// Takes the `n` bytes that were put into the room.
  virtual State received(std::size_t n) = 0;

  /// Returns what to send now. It must stay as it is until sent(), whatever else happens.
  virtual Output output() = 0;
  /// Drops the output: the system has all of it.
  virtual State sent() = 0;

  /// Gives up all requests. If there is output, it is the last; then the connection ends. Called only while
  /// nothing is being sent and, for Cutoff::out_of_memory, while no bytes are waited for; at other times the
  /// connection is closed without it.
  virtual State refuse(Cutoff why) = 0;
  /// Notes that the server stops: the requests that are here are the last. The connection ends when it is
  /// idle.
  virtual void drain() = 0;

  /// Returns the bytes kept because the client is waited for: parts of requests, and output.
  virtual std::size_t memory() const = 0;
  /// Gives back memory that an idle connection does not need. Called now and then.
  virtual void trim() = 0;
};

struct Peer {
  std::string remote;   ///< "127.0.0.1:40312"
  bool secure = false;  ///< connected over TLS
};

/// Makes the protocol of each connection of a server. Called from several threads at once.
class ProtocolFactory {
 public:
  virtual ~ProtocolFactory() = default;

  /// `link` must not be used before the first call of resume().
  virtual std::unique_ptr<Protocol> make(Link& link, Peer peer) = 0;
  /// Returns what a client is sent for whom there is no room, before its connection is closed; may be empty.
  virtual std::string turn_away(const Peer& peer) = 0;
  /// Returns the name by which clients ask for the protocol over TLS (ALPN, RFC 7301), "http/1.1". A client
  /// that asks only for others is refused. Empty: what clients ask for is ignored.
  virtual std::string_view alpn() const = 0;
};

}  // namespace dinette::tcp
