#include "tcp/listener.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <utility>

#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>

#include "dinette/base/log.h"
#include "dinette/tcp/address.h"

#include "tcp/one_thread.h"
#include "tcp/sessions.h"

namespace dinette::tcp {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using base::Failure;
using Error = boost::system::error_code;

constexpr std::chrono::milliseconds retry_accept{100};
/// A loop that takes longer is busy with a long request.
constexpr std::chrono::milliseconds offer_patience{2};
/// Connections that may wait for a loop to make room for them.
constexpr std::size_t waiting_beyond_limit = 16;
constexpr std::size_t dropped_bytes = 16 * 1024;

std::string text_of(const tcp::endpoint& endpoint) {
  return host_and_port(endpoint.address().to_string(), endpoint.port());
}

std::string advice(const Error& ec, const tcp::endpoint& endpoint) {
  const std::string where = text_of(endpoint);
  if (ec == asio::error::address_in_use) {
    return "Cannot listen on " + where +
           ": another program has this port. Stop it, or choose another port (0 takes a " + "free one).";
  }
  if (ec == asio::error::access_denied) {
    return "Cannot listen on " + where + ": no permission. Choose a port from 1024 on.";
  }
  if (ec.value() == EADDRNOTAVAIL || ec == asio::error::address_family_not_supported) {
    return "Cannot listen on " + where +
           ": this machine does not have that address. Use 127.0.0.1, or 0.0.0.0 for " + "every interface.";
  }
  return "Cannot listen on " + where + ": " + ec.message() + ".";
}

void reserve_spare(LoopSocket& spare) {
  Error ec;
  spare.open(tcp::v4(), ec);
}

}  // namespace

/// A connection that waits for a loop. The first loop that gets to it takes it.
struct Listener::Arrival {
  Arrival(LoopSocket accepted, const tcp::endpoint& from, ConnectionCount::Ticket place, Loop& first,
          bool over_limit)
      : socket(std::move(accepted)),
        peer(from),
        ticket(std::move(place)),
        preferred(&first),
        beyond_limit(over_limit) {}

  LoopSocket socket;
  tcp::endpoint peer;
  ConnectionCount::Ticket ticket;
  Loop* preferred;
  bool beyond_limit;
  bool passed_on = false;  ///< a loop without idle connections has left it to another one
  std::atomic<bool> taken{false};
};

Listener::Listener(std::vector<std::unique_ptr<Loop>>& loops, Shared& shared, asio::ssl::context* tls)
    : loops_(loops),
      shared_(shared),
      tls_(tls),
      context_(one_thread),
      acceptor_(context_),
      retry_(context_),
      offer_timer_(context_),
      spare_(context_) {}

Listener::~Listener() {
  close();
}

base::Result<std::uint16_t, std::string> Listener::open() {
  const ServerOptions& options = shared_.options;
  Error ec;
  const auto address =
      asio::ip::make_address(options.address == "localhost" ? "127.0.0.1" : options.address, ec);
  if (ec) {
    return Failure{"Cannot listen on \"" + options.address +
                   "\": give an IP address, such as 127.0.0.1, or localhost."};
  }
  const tcp::endpoint endpoint(address, options.port);
  acceptor_.open(endpoint.protocol(), ec);
  if (!ec) acceptor_.set_option(tcp::acceptor::reuse_address(true), ec);
  if (!ec && address.is_v6()) acceptor_.set_option(asio::ip::v6_only(!address.is_unspecified()), ec);
  if (!ec) acceptor_.bind(endpoint, ec);
  if (!ec) acceptor_.listen(asio::socket_base::max_listen_connections, ec);
  if (ec) return Failure{advice(ec, endpoint)};
  return acceptor_.local_endpoint().port();
}

void Listener::start() {
  reserve_spare(spare_);
  accept_next();
  thread_ = std::thread([this] { run_all(context_); });
}

void Listener::close() {
  if (!thread_.joinable()) return;
  asio::post(context_, [this] {
    Error ec;
    acceptor_.close(ec);
    retry_.cancel();
    offer_timer_.cancel();
    offer_again();
  });
  thread_.join();
}

void Listener::accept() {
  acceptor_.async_accept(context_, [this](const Error& ec, LoopSocket socket) {
    if (!acceptor_.is_open()) return;
    if (ec && ec != asio::error::connection_aborted) return on_failure(ec);
    accept_next();  // first, so that a failure here does not stop accepting
    failing_ = false;
    Error gone;
    const tcp::endpoint peer = socket.remote_endpoint(gone);
    if (!ec && !gone) on_accepted(std::move(socket), peer);
  });
}

// Out of descriptors or memory: open connections continue, and may make room.
void Listener::on_failure(const Error& why) {
  if (!failing_) base::log(base::LogLevel::warn, "cannot accept connections", {{"why", why.message()}});
  failing_ = true;
  if (spare_.is_open()) turn_away_with_spare();
  accept_later(retry_accept);
}

/// Leaves clients in the system's queue while many already wait for a loop.
void Listener::accept_next() {
  const std::size_t limit = shared_.options.limits.connections;
  shared_.connections.value() < limit + waiting_beyond_limit ? accept() : accept_later(offer_patience);
}

void Listener::accept_later(std::chrono::milliseconds delay) {
  retry_.expires_after(delay);
  retry_.async_wait([this](const Error& ec) {
    if (!ec && acceptor_.is_open()) accept_next();
  });
}

void Listener::turn_away_with_spare() {
  Error ec;
  spare_.close(ec);
  tcp::endpoint peer;
  acceptor_.non_blocking(true, ec);
  LoopSocket socket = acceptor_.accept(context_, peer, ec);
  if (!ec) {
    ++shared_.accepted;
    turn_away(socket, peer);
  }
  socket.close(ec);
  reserve_spare(spare_);
}

void Listener::on_accepted(LoopSocket socket, const tcp::endpoint& peer) {
  ++shared_.accepted;
  auto ticket = shared_.connections.enter();
  const bool beyond_limit = shared_.too_many_connections();
  const auto& preferred =
      std::ranges::min_element(loops_, {}, [](const auto& loop) { return loop->load().load(); });
  ++(*preferred)->load();
  const auto arrival =
      std::make_shared<Arrival>(std::move(socket), peer, std::move(ticket), **preferred, beyond_limit);
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
    return arrival.passed_on ? turn_away(arrival.socket, arrival.peer) : pass_on(taken);
  }
  Error ec;
  LoopSocket socket(loop.context());
  socket.assign(arrival.peer.protocol(), arrival.socket.release(), ec);
  if (ec) return;
  socket.set_option(tcp::no_delay(true), ec);
  std::string remote = text_of(arrival.peer);
  auto session = tls_ ? make_tls_session(std::move(socket), loop, std::move(remote), *tls_)
                      : make_plain_session(std::move(socket), loop, std::move(remote));
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
void Listener::turn_away(LoopSocket& socket, const tcp::endpoint& peer) {
  ++shared_.refused;
  Error ec;
  if (tls_) {
    socket.close(ec);
    return;
  }
  const std::string text = shared_.protocols->turn_away({text_of(peer), false});
  socket.non_blocking(true, ec);
  // Closing a socket with unread bytes would discard the response.
  std::array<char, dropped_bytes> request;
  socket.read_some(asio::buffer(request), ec);
  socket.write_some(asio::buffer(text), ec);
  socket.shutdown(tcp::socket::shutdown_send, ec);
  socket.close(ec);
}

}  // namespace dinette::tcp
