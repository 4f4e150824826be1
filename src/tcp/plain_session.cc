#include <span>
#include <utility>

#include "tcp/session.h"
#include "tcp/sessions.h"

namespace dinette::tcp {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

class PlainTransport {
  using Error = boost::system::error_code;

 public:
  static constexpr bool secure = false;

  explicit PlainTransport(LoopSocket socket) : socket_(std::move(socket)) {
    Error ec;
    socket_.non_blocking(true, ec);  // for `try_write`; a failure shows at the first read
  }

  template <class F>
  void async_handshake(F done) {
    done(Error());
  }

  bool fall_back(const Error&) { return false; }

  bool readable() const {
    Error ec;
    return socket_.available(ec) > 0;
  }

  template <class F>
  void async_read(std::span<char> room, F done) {
    socket_.async_read_some(asio::buffer(room.data(), room.size()), std::move(done));
  }

  /// A response nearly always fits the socket's buffer. Writing it immediately saves a round through the
  /// loop.
  template <class Buffers>
  std::size_t try_write(const Buffers& buffers) {
    Error ec;
    return socket_.write_some(buffers, ec);  // a failure repeats in `async_write_some`, which reports it
  }

  template <class Buffers, class F>
  void async_write_some(const Buffers& buffers, F done) {
    socket_.async_write_some(buffers, std::move(done));
  }

  void half_close() {
    Error ec;
    socket_.shutdown(tcp::socket::shutdown_send, ec);
  }

  template <class F>
  void finish(F done) {
    half_close();
    done();
  }

  void close() {
    Error ec;
    socket_.close(ec);
  }

 private:
  LoopSocket socket_;
};

}  // namespace

std::shared_ptr<Connection> make_plain_session(LoopSocket socket, Loop& loop, ProtocolFactory& protocols,
                                               std::string remote) {
  return std::make_shared<Session<PlainTransport>>(PlainTransport(std::move(socket)), loop, protocols,
                                                   std::move(remote));
}

}  // namespace dinette::tcp
