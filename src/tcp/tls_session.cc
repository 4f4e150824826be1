#include <span>
#include <utility>

#include <boost/asio/ssl/stream.hpp>

#include "tcp/session.h"
#include "tcp/sessions.h"
#include "tcp/tls_context.h"

namespace dinette::tcp {
namespace {

namespace asio = boost::asio;

/// Speaks TLS, or plain HTTP with a client that has shown that it does: only to refuse it.
class TlsTransport {
  using Error = boost::system::error_code;

 public:
  static constexpr bool secure = true;

  TlsTransport(LoopSocket socket, asio::ssl::context& tls) : stream_(std::move(socket), tls) {}

  template <class F>
  void async_handshake(F done) {
    stream_.async_handshake(asio::ssl::stream_base::server, std::move(done));
  }

  bool fall_back(const Error& ec) { return plain_ = is_plain_http(ec); }

  template <class F>
  void async_read(std::span<char> room, F done) {
    const auto buffer = asio::buffer(room.data(), room.size());
    plain_ ? socket().async_read_some(buffer, std::move(done))
           : stream_.async_read_some(buffer, std::move(done));
  }

  bool readable() const {
    Error ec;
    return stream_.next_layer().available(ec) > 0;
  }

  template <class Buffers>
  std::size_t try_write(const Buffers&) {
    return 0;
  }

  template <class Buffers, class F>
  void async_write_some(const Buffers& buffers, F done) {
    plain_ ? socket().async_write_some(buffers, std::move(done))
           : stream_.async_write_some(buffers, std::move(done));
  }

  /// TLS has no half-closed state in which the peer may go on; the response itself says that it is the last.
  void half_close() {
    Error ec;
    if (plain_) socket().shutdown(LoopSocket::shutdown_send, ec);
  }

  template <class F>
  void finish(F done) {
    stream_.async_shutdown([done = std::move(done)](const Error&) { done(); });
  }

  void close() {
    Error ec;
    socket().close(ec);
  }

 private:
  LoopSocket& socket() { return stream_.next_layer(); }

  asio::ssl::stream<LoopSocket> stream_;
  bool plain_ = false;
};

}  // namespace

std::shared_ptr<Connection> make_tls_session(LoopSocket socket, Loop& loop, ProtocolFactory& protocols,
                                             std::string remote, asio::ssl::context& tls) {
  return std::make_shared<Session<TlsTransport>>(TlsTransport(std::move(socket), tls), loop, protocols,
                                                 std::move(remote));
}

}  // namespace dinette::tcp
