// Network bytes, fed to a complete connection (reader, session, responses) over a transport in memory. The
// first byte chooses how the bytes are split into packets and how much of a response the peer takes at once.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>

#include "http/http1.h"
#include "tcp/loop.h"
#include "tcp/session.h"

namespace dinette::http {
namespace {

namespace asio = boost::asio;

constexpr std::size_t body_limit = 4096;
constexpr std::size_t header_limit = 1024;

void expect(bool holds) {
  if (!holds) std::abort();
}

struct Wire {
  std::string_view input;
  std::size_t packet = 1;     // bytes per read
  std::size_t taken_now = 0;  // bytes that a write takes without waiting
  std::size_t output = 0;
  bool closed = false;
};

class MemoryTransport {
  using Error = boost::system::error_code;

 public:
  static constexpr bool secure = false;

  MemoryTransport(Wire& wire, tcp::Loop& loop) : wire_(&wire), loop_(&loop) {}

  template <class F>
  void async_handshake(F done) {
    done(Error());
  }

  bool fall_back(const Error&) { return false; }

  bool readable() const { return !wire_->input.empty(); }

  template <class F>
  void async_read(std::span<char> room, F done) {
    expect(!room.empty() && !wire_->closed);
    const std::size_t n = std::min({room.size(), wire_->packet, wire_->input.size()});
    std::memcpy(room.data(), wire_->input.data(), n);
    wire_->input.remove_prefix(n);
    const Error ec = n == 0 ? asio::error::eof : Error();
    asio::post(loop_->context(), [done = std::move(done), ec, n] { done(ec, n); });
  }

  template <class Buffers>
  std::size_t try_write(const Buffers& buffers) {
    const std::size_t n = std::min(asio::buffer_size(buffers), wire_->taken_now);
    wire_->output += n;
    return n;
  }

  template <class Buffers, class F>
  void async_write_some(const Buffers& buffers, F done) {
    const std::size_t all = asio::buffer_size(buffers);
    expect(all > 0);
    const std::size_t n = (all + 1) / 2;
    wire_->output += n;
    asio::post(loop_->context(), [done = std::move(done), n] { done(Error(), n); });
  }

  void half_close() {}
  template <class F>
  void finish(F done) {
    done();
  }
  void close() { wire_->closed = true; }

 private:
  Wire* wire_;
  tcp::Loop* loop_;
};

// Reads every byte, so that the sanitizers check them.
void handle(const Request& request, Response& response) {
  expect(request.body.size() <= body_limit);
  std::size_t seen = 0;
  for (const Header& header : request.headers) {
    seen += header.name.size() + header.value.size();
    response.add_header(std::string(header.name), std::string(header.value));
  }
  expect(seen <= header_limit);
  response.body.append(request.method).append(request.target).append(request.query()).append(request.body);
}

void serve(std::string_view bytes, std::uint8_t shape) {
  ServerOptions options;
  options.limits = {.body_bytes = body_limit, .header_bytes = header_limit, .header_count = 20};
  Http1Factory protocols(options, &handle);
  tcp::Shared shared;
  tcp::Loop loop(shared);
  Wire wire{.input = bytes,
            .packet = std::size_t{1} << (shape & 15),
            .taken_now = (shape & 16) != 0 ? std::size_t{1} << 20 : (shape >> 5) * std::size_t{37}};
  ++loop.load();
  MemoryTransport transport(wire, loop);
  loop.adopt(std::make_shared<tcp::Session<MemoryTransport>>(transport, loop, protocols, "fuzz"),
             shared.connections.enter());
  // The end of the input always ends the connection; only the timer then keeps the loop alive.
  while (loop.context().poll() > 0) {
  }
  expect(wire.closed && shared.connections.value() == 0);
}

}  // namespace
}  // namespace dinette::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  dinette::http::serve({reinterpret_cast<const char*>(data) + 1, size - 1}, data[0]);
  return 0;
}
