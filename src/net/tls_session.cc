#include <span>
#include <utility>

#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>

#include "net/session.h"
#include "net/sessions.h"

namespace dinette::net {
namespace {

namespace asio = boost::asio;

class TlsTransport {
 public:
  static constexpr bool kSecure = true;

  TlsTransport(LoopSocket socket, asio::ssl::context& tls) : stream_(std::move(socket), tls) {}

  template <class F>
  void async_handshake(F done) {
    stream_.async_handshake(asio::ssl::stream_base::server, std::move(done));
  }

  template <class F>
  void async_read(std::span<char> room, F done) {
    stream_.async_read_some(asio::buffer(room.data(), room.size()), std::move(done));
  }

  template <class Buffers>
  std::size_t try_write(const Buffers&) {
    return 0;
  }

  template <class Buffers, class F>
  void async_write(const Buffers& buffers, F done) {
    asio::async_write(stream_, buffers, std::move(done));
  }

  /// TLS has no half-closed state in which the peer may go on; the reply itself says that it is the last.
  void half_close() {}

  template <class F>
  void finish(F done) {
    stream_.async_shutdown([done = std::move(done)](const Error&) { done(); });
  }

  void close() {
    Error ec;
    stream_.lowest_layer().close(ec);
  }

 private:
  using Error = boost::system::error_code;

  asio::ssl::stream<LoopSocket> stream_;
};

}  // namespace

std::shared_ptr<Connection> make_tls_session(LoopSocket socket, Loop& loop, std::string remote,
                                             asio::ssl::context& tls) {
  return std::make_shared<Session<TlsTransport>>(TlsTransport(std::move(socket), tls), loop,
                                                 std::move(remote));
}

}  // namespace dinette::net
