#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "dinette/tcp/protocol.h"
#include "dinette/tcp/server.h"

#include "tcp/connection.h"
#include "tcp/events.h"
#include "tcp/workers.h"

namespace dinette::tcp {

/// The executor by its own type: Asio's type-erased one costs a virtual call and a copy per operation.
using LoopExecutor = boost::asio::io_context::executor_type;
using LoopSocket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, LoopExecutor>;

/// Counts open connections. A stopping server waits for the last one.
class ConnectionCount {
  struct Leave {
    void operator()(ConnectionCount* count) const { count->leave(); }
  };

 public:
  /// A place among the open connections, released on destruction.
  using Ticket = std::unique_ptr<ConnectionCount, Leave>;

  Ticket enter();
  std::size_t value() const { return count_.load(std::memory_order_relaxed); }
  /// Returns true if the count reached zero in time.
  bool wait_for_zero(std::chrono::milliseconds patience);

 private:
  void leave();

  std::atomic<std::size_t> count_{0};
  std::mutex mutex_;
  std::condition_variable zero_;
};

/// What the loops of a server share. Outlives them.
struct Shared {
  ServerOptions options;
  ConnectionCount connections;
  std::atomic<std::size_t> held{0};        ///< bytes of requests and responses kept while waiting for clients
  std::atomic<std::uint64_t> accepted{0};  ///< connections, with those that were refused
  std::atomic<std::uint64_t> refused{0};
  std::size_t loops = 1;
  std::unique_ptr<Workers> workers;

  bool too_many_connections() const { return connections.value() > options.limits.connections; }
};

/// Runs the context to its end. Logs exceptions from callbacks and continues.
void run_all(boost::asio::io_context& context);

/// One event loop: a thread, its connections, and what they reuse.
class Loop {
 public:
  explicit Loop(Shared& shared);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  /// Runs the loop; returns after `finish`, when nothing is left to do.
  void run() {
    const base::EventLoopScope scope(events_);
    run_all(context_);
  }

  boost::asio::io_context& context() { return context_; }
  Shared& shared() { return shared_; }

  /// Returns the number of connections that the loop has or is offered first. Any thread.
  std::atomic<std::size_t>& load() { return load_; }

  // On the loop's thread:

  /// Starts the connection and keeps it, with its places in the count and the load.
  void adopt(std::shared_ptr<Connection> connection, ConnectionCount::Ticket ticket);
  /// Releases all three.
  void forget(Connection& connection);
  /// Enforces the deadlines of all connections.
  void sweep();
  /// Ends each connection after its current request.
  void drain();
  void cut_all();
  /// Closes the connections that have been idle longest, at least one. Returns false if all are busy.
  bool close_idlest();
  /// Ends connections, those that hold most first, while all loops together hold too much memory and this
  /// loop holds more than its share.
  void relieve();
  /// Lets `run` return and ends the periodic sweep.
  void finish();

  bool draining() const { return draining_; }
  /// Returns the time of the last sweep, from which deadlines are counted.
  SteadyTime now() const { return now_; }

 private:
  struct Kept {
    std::shared_ptr<Connection> connection;
    ConnectionCount::Ticket ticket;
  };

  friend class Held;

  template <class F>
  void for_each_connection(F action);
  void sweep_later();
  void trim_heap();

  Shared& shared_;
  std::atomic<std::size_t> load_{0};
  std::size_t held_ = 0;              ///< this loop's part of `Shared::held`
  std::size_t most_connections_ = 0;  ///< since the heap was last trimmed
  boost::asio::io_context context_;
  Events events_;
  boost::asio::executor_work_guard<LoopExecutor> work_;
  boost::asio::steady_timer timer_;
  std::vector<Kept> connections_;
  SteadyTime now_;
  bool draining_ = false;
  bool finished_ = false;
};

/// Counts, for its loop and for all loops, the memory that one connection keeps while waiting for its client.
/// For the loop's thread.
class Held {
 public:
  /// Bytes that every connection may keep uncounted.
  static constexpr std::size_t uncounted_bytes = 16 * 1024;

  explicit Held(Loop& loop) : loop_(loop) {}
  ~Held() { set(0); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  std::size_t bytes() const { return bytes_; }

  /// Returns true if the amount has grown.
  bool set(std::size_t bytes) {
    if (bytes <= uncounted_bytes) bytes = 0;
    if (bytes == bytes_) return false;
    const bool more = bytes > bytes_;
    loop_.held_ += bytes - bytes_;
    loop_.shared_.held += bytes - bytes_;
    bytes_ = bytes;
    return more;
  }

 private:
  Loop& loop_;
  std::size_t bytes_ = 0;
};

}  // namespace dinette::tcp
