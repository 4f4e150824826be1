#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "dinette/base/result.h"

#include "tcp/listening.h"
#include "tcp/loop.h"

namespace dinette::tcp {

/// A port of a server, with what is spoken there.
struct Port {
  PortOptions options;
  ProtocolFactory* protocols;
  std::unique_ptr<boost::asio::ssl::context> tls = nullptr;  ///< null: without TLS
};

/// Accepts the connections of a server. Runs on a thread of its own, so that requests do not delay new
/// clients. Offers each connection to the loop that has the fewest; if that loop is busy, the first other one
/// takes it.
class Listener {
 public:
  struct Bound {
    std::uint16_t port;
    std::vector<std::string> addresses;
  };

  /// The loops outlive the listener.
  Listener(std::vector<std::unique_ptr<Loop>>& loops, Shared& shared);
  ~Listener();

  /// Binds a port, which outlives the listener. Returns what is bound, or one sentence for the user.
  base::Result<Bound, std::string> open(const Port& port);
  /// Starts accepting, at all ports. Throws if no thread can be started.
  void start();
  /// Stops accepting. Accepted connections are in the loops' queues afterwards.
  void close();

 private:
  struct Arrival;
  struct Entrance;

  void accept_next(Entrance& entrance);
  void accept(Entrance& entrance);
  void accept_later(Entrance& entrance, std::chrono::milliseconds delay);
  void on_failure(Entrance& entrance, const boost::system::error_code& why);
  void turn_away_with_spare(Entrance& entrance);
  void on_accepted(const Port& port, LoopSocket socket, const boost::asio::ip::tcp::endpoint& peer);
  void offer(const std::shared_ptr<Arrival>& arrival, Loop& loop);
  void take(const std::shared_ptr<Arrival>& taken, Loop& loop);
  void pass_on(const std::shared_ptr<Arrival>& arrival);
  void offer_again_later(std::shared_ptr<Arrival> arrival);
  void offer_again();
  void turn_away(const Port& port, LoopSocket& socket, const boost::asio::ip::tcp::endpoint& peer);

  std::vector<std::unique_ptr<Loop>>& loops_;
  Shared& shared_;
  boost::asio::io_context context_;
  std::vector<std::unique_ptr<Entrance>> entrances_;
  boost::asio::steady_timer offer_timer_;
  std::vector<std::shared_ptr<Arrival>> offered_;  ///< some may already be taken
  LoopSocket spare_;                               ///< its descriptor is reserved for refusing a client
  bool failing_ = false;                           ///< accepting fails; logged once
  std::thread thread_;
};

}  // namespace dinette::tcp
