#include "net/listener.h"

#include <chrono>
#include <utility>

#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>

#include "dinette/base/log.h"

#include "net/refusal.h"
#include "net/sessions.h"

namespace dinette::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using base::Failure;
using Error = boost::system::error_code;

constexpr std::chrono::milliseconds kRetryAccept{100};

std::string text_of(const tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? "[" + address + "]" : address) + ":" + std::to_string(endpoint.port());
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

}  // namespace

Listener::Listener(std::vector<std::unique_ptr<Loop>>& loops, Shared& shared, asio::ssl::context* tls)
    : loops_(loops),
      shared_(shared),
      tls_(tls),
      acceptor_(loops.front()->context()),
      retry_(loops.front()->context()) {}

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

void Listener::accept() {
  Loop& loop = *loops_[next_];
  next_ = (next_ + 1) % loops_.size();
  acceptor_.async_accept(loop.context(), [this, &loop](const Error& ec, LoopSocket socket) {
    if (!acceptor_.is_open()) return;
    if (ec && ec != asio::error::connection_aborted) {
      // Out of descriptors or memory: what is open goes on, and may make room.
      base::log(base::LogLevel::warn, "cannot accept a connection", {{"why", ec.message()}});
      return accept_later();
    }
    accept();  // First: whatever becomes of this connection, there is a next one.
    if (!ec) on_accepted(std::move(socket), loop);
  });
}

void Listener::close() {
  Error ec;
  acceptor_.close(ec);
  retry_.cancel();
}

void Listener::on_accepted(LoopSocket socket, Loop& loop) {
  Error ec;
  const tcp::endpoint peer = socket.remote_endpoint(ec);
  if (ec) return;  // Gone already.
  auto ticket = shared_.connections.enter(shared_.options.limits.connections);
  if (!ticket) return refuse(socket, text_of(peer));
  socket.set_option(tcp::no_delay(true), ec);
  asio::post(loop.context(),
             [this, &loop, peer, taken = std::move(socket), ticket = std::move(ticket)]() mutable {
               std::string remote = text_of(peer);
               loop.adopt(tls_ ? make_tls_session(std::move(taken), loop, std::move(remote), *tls_)
                               : make_plain_session(std::move(taken), loop, std::move(remote)),
                          std::move(ticket));
             });
}

// One attempt to tell; a TLS client is not worth a handshake for it.
void Listener::refuse(LoopSocket& socket, std::string_view remote) {
  if (tls_) return;
  HttpReply reply;
  write_refusal(Refusal::too_many_connections, remote, shared_.options, reply);
  std::string text;
  format_reply_head(reply, false, loops_.front()->date_line(), text);
  text += reply.body;
  Error ec;
  socket.non_blocking(true, ec);
  socket.write_some(asio::buffer(text), ec);
  socket.shutdown(tcp::socket::shutdown_send, ec);
}

void Listener::accept_later() {
  retry_.expires_after(kRetryAccept);
  retry_.async_wait([this](const Error& ec) {
    if (!ec && acceptor_.is_open()) accept();
  });
}

}  // namespace dinette::net
