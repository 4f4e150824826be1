#include "tcp/listener.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <utility>

#include <boost/asio/post.hpp>

#include "dinette/base/log.h"

#include "tcp/listening.h"
#include "tcp/one_thread.h"
#include "tcp/sessions.h"

namespace dinette::tcp {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Error = boost::system::error_code;

constexpr std::chrono::milliseconds retry_accept{100};
/// A loop that takes longer is busy with a long request.
constexpr std::chrono::milliseconds offer_patience{2};
/// Connections that may wait for a loop to make room for them.
constexpr std::size_t waiting_beyond_limit = 16;
constexpr std::size_t dropped_bytes = 16 * 1024;

void reserve_spare(LoopSocket& spare, const Acceptor& acceptor) {
  Error ec;
  spare.open(acceptor.local_endpoint(ec).protocol(), ec);
}

}  // namespace

/// A socket that accepts connections.
struct Listener::Entrance {
  Entrance(const Port& of_port, Acceptor listening)
      : port(of_port), acceptor(std::move(listening)), retry(acceptor.get_executor()) {}

  const Port& port;
  Acceptor acceptor;
  asio::steady_timer retry;
};

/// A connection that waits for a loop. The first loop that gets to it takes it.
struct Listener::Arrival {
  Arrival(const Port& of_port, LoopSocket accepted, const tcp::endpoint& from, ConnectionCount::Ticket place,
          Loop& first, bool over_limit)
      : port(of_port),
        socket(std::move(accepted)),
        peer(from),
        ticket(std::move(place)),
        preferred(&first),
        beyond_limit(over_limit) {}

  const Port& port;
  LoopSocket socket;
  tcp::endpoint peer;
  ConnectionCount::Ticket ticket;
  Loop* preferred;
  bool beyond_limit;
  bool passed_on = false;  ///< a loop without idle connections has left it to another one
  std::atomic<bool> taken{false};
};

Listener::Listener(std::vector<std::unique_ptr<Loop>>& loops, Shared& shared)
    : loops_(loops), shared_(shared), context_(one_thread), offer_timer_(context_), spare_(context_) {}

Listener::~Listener() {
  close();
}

base::Result<Listener::Bound, std::string> Listener::open(const Port& port) {
  DINETTE_TRY(auto acceptors, listen_on(port.options.addresses, port.options.port, context_));
  Bound bound{acceptors.front().local_endpoint().port(), {}};
  for (Acceptor& acceptor : acceptors) {
    bound.addresses.push_back(acceptor.local_endpoint().address().to_string());
    entrances_.push_back(std::make_unique<Entrance>(port, std::move(acceptor)));
  }
  return bound;
}

void Listener::start() {
  reserve_spare(spare_, entrances_.front()->acceptor);
  for (const auto& entrance : entrances_) accept_next(*entrance);
  thread_ = std::thread([this] { run_all(context_); });
}

void Listener::close() {
  if (!thread_.joinable()) return;
  asio::post(context_, [this] {
    Error ec;
    for (const auto& entrance : entrances_) {
      entrance->acceptor.close(ec);
      entrance->retry.cancel();
    }
    offer_timer_.cancel();
    offer_again();
  });
  thread_.join();
}

void Listener::accept(Entrance& entrance) {
  entrance.acceptor.async_accept(context_, [this, &entrance](const Error& ec, LoopSocket socket) {
    if (!entrance.acceptor.is_open()) return;
    if (ec && ec != asio::error::connection_aborted) return on_failure(entrance, ec);
    accept_next(entrance);  // first, so that a failure here does not stop accepting
    failing_ = false;
    Error gone;
    const tcp::endpoint peer = socket.remote_endpoint(gone);
    if (!ec && !gone) on_accepted(entrance.port, std::move(socket), peer);
  });
}

// Out of descriptors or memory: open connections continue, and may make room.
void Listener::on_failure(Entrance& entrance, const Error& why) {
  if (!failing_) base::log(base::LogLevel::warn, "cannot accept connections", {{"why", why.message()}});
  failing_ = true;
  if (spare_.is_open()) turn_away_with_spare(entrance);
  accept_later(entrance, retry_accept);
}

/// Leaves clients in the system's queue while many already wait for a loop.
void Listener::accept_next(Entrance& entrance) {
  const std::size_t limit = shared_.options.limits.connections;
  const bool room = shared_.connections.value() < limit + waiting_beyond_limit;
  room ? accept(entrance) : accept_later(entrance, offer_patience);
}

void Listener::accept_later(Entrance& entrance, std::chrono::milliseconds delay) {
  entrance.retry.expires_after(delay);
  entrance.retry.async_wait([this, &entrance](const Error& ec) {
    if (!ec && entrance.acceptor.is_open()) accept_next(entrance);
  });
}

void Listener::turn_away_with_spare(Entrance& entrance) {
  Acceptor& acceptor = entrance.acceptor;
  Error ec;
  spare_.close(ec);
  tcp::endpoint peer;
  acceptor.non_blocking(true, ec);
  LoopSocket socket = acceptor.accept(context_, peer, ec);
  if (!ec) {
    ++shared_.accepted;
    turn_away(entrance.port, socket, peer);
  }
  socket.close(ec);
  reserve_spare(spare_, acceptor);
}

void Listener::on_accepted(const Port& port, LoopSocket socket, const tcp::endpoint& peer) {
  ++shared_.accepted;
  auto ticket = shared_.connections.enter();
  const bool beyond_limit = shared_.too_many_connections();
  const auto& preferred =
      std::ranges::min_element(loops_, {}, [](const auto& loop) { return loop->load().load(); });
  ++(*preferred)->load();
  const auto arrival =
      std::make_shared<Arrival>(port, std::move(socket), peer, std::move(ticket), **preferred, beyond_limit);
  offer(arrival, **preferred);
  if (loops_.size() > 1) offer_again_later(arrival);
}

void Listener::offer(const std::shared_ptr<Arrival>& arrival, Loop& loop) {
  asio::post(loop.context(), [this, arrival, &loop] {
    if (!arrival->taken.exchange(true)) take(arrival, loop);
  });
}

/// Runs on the loop's thread.
void Listener::take(const std::shared_ptr<Arrival>& taken, Loop& loop) {
  Arrival& arrival = *taken;
  --arrival.preferred->load();
  const bool too_many = arrival.beyond_limit && shared_.too_many_connections();
  if (too_many && !loop.close_idlest()) {
    return arrival.passed_on ? turn_away(arrival.port, arrival.socket, arrival.peer) : pass_on(taken);
  }
  Error ec;
  LoopSocket socket(loop.context());
  socket.assign(arrival.peer.protocol(), arrival.socket.release(), ec);
  if (ec) return;
  socket.set_option(tcp::no_delay(true), ec);
  std::string remote = text_of(arrival.peer);
  const Port& port = arrival.port;
  auto session =
      port.tls ? make_tls_session(std::move(socket), loop, *port.protocols, std::move(remote), *port.tls)
               : make_plain_session(std::move(socket), loop, *port.protocols, std::move(remote));
  ++loop.load();
  loop.adopt(std::move(session), std::move(arrival.ticket));
}

/// Offers it to the loop most likely to have an idle connection.
void Listener::pass_on(const std::shared_ptr<Arrival>& arrival) {
  const auto& most =
      std::ranges::max_element(loops_, {}, [](const auto& loop) { return loop->load().load(); });
  ++(*most)->load();
  arrival->preferred = most->get();
  arrival->passed_on = true;
  arrival->taken = false;
  offer(arrival, **most);
}

void Listener::offer_again_later(std::shared_ptr<Arrival> arrival) {
  offered_.push_back(std::move(arrival));
  if (offered_.size() > 1) return;  // the timer is already running
  offer_timer_.expires_after(offer_patience);
  offer_timer_.async_wait([this](const Error& ec) {
    if (!ec) offer_again();
  });
}

/// Offers to all loops what the chosen ones have not taken.
void Listener::offer_again() {
  for (const auto& arrival : offered_) {
    if (arrival->taken) continue;
    for (const auto& loop : loops_) offer(arrival, *loop);
  }
  offered_.clear();
}

// Tries once to tell the client; not over TLS, where it would take a handshake.
void Listener::turn_away(const Port& port, LoopSocket& socket, const tcp::endpoint& peer) {
  ++shared_.refused;
  Error ec;
  if (port.tls) {
    socket.close(ec);
    return;
  }
  const std::string text = port.protocols->turn_away({text_of(peer), false});
  socket.non_blocking(true, ec);
  // Closing a socket with unread bytes would discard the response.
  std::array<char, dropped_bytes> request;
  socket.read_some(asio::buffer(request), ec);
  socket.write_some(asio::buffer(text), ec);
  socket.shutdown(tcp::socket::shutdown_send, ec);
  socket.close(ec);
}

}  // namespace dinette::tcp
