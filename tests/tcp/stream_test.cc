// tcp's client against a server of frames.h.
#include "dinette/tcp/stream.h"

#include <array>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "tcp/fixture.h"

namespace dinette::tcp::stream_test {
namespace {

using namespace std::chrono_literals;

Stream::Deadline after(std::chrono::milliseconds time) {
  return std::chrono::steady_clock::now() + time;
}

base::Result<Stream, StreamError> connect_to(const Running& running, bool tls,
                                             std::chrono::milliseconds time = 60s) {
  return Stream::connect({.port = running.port, .tls = tls}, after(time));
}

/// Returns `size` bytes; fewer if the server has closed the connection.
std::string receive_from(Stream& stream, std::size_t size) {
  std::string text;
  std::array<char, 1000> room;
  while (text.size() < size) {
    const auto n = stream.read(room);
    REQUIRE(n.ok());
    if (*n == 0) break;
    text.append(room.data(), *n);
  }
  return text;
}

TEST_CASE("a stream sends and receives, over plain connections and TLS") {
  const bool tls = GENERATE(false, true);
  Running running(with_tls(tls));
  auto stream = connect_to(running, tls);
  REQUIRE(stream.ok());
  for (const std::string& body : {std::string("hello"), std::string(3'000'000, 'x')}) {
    const std::string request = frame('a', body);
    REQUIRE(stream->write(request).ok());
    CHECK(receive_from(*stream, request.size()) == request);
  }
  REQUIRE(stream->write(frame('a', "close")).ok());
  CHECK(receive_from(*stream, 1000) == frame('a', "closing"));
}

TEST_CASE("a stream ends at its deadline") {
  const bool tls = GENERATE(false, true);
  Running running(with_tls(tls));
  auto stream = connect_to(running, tls, 200ms);
  REQUIRE(stream.ok());
  REQUIRE(stream->write(frame('a', "wait")).ok());
  std::array<char, 10> room;
  const auto late = stream->read(room);
  REQUIRE_FALSE(late.ok());
  CHECK(late.error() == StreamError::timed_out);
  running.stage.open("wait");
}

TEST_CASE("a handshake that is not complete in time is an error") {
  ServerOptions options = with_tls();
  options.threads = 1;
  Running running(std::move(options));
  TlsSocket holder(running.port);
  REQUIRE(holder.send(frame('a', "hold the loop")));
  until([&] { return running.stage.entered("hold the loop"); });
  const auto stream = connect_to(running, true, 1ms);
  REQUIRE_FALSE(stream.ok());
  CHECK(stream.error() == StreamError::timed_out);
  running.stage.open("hold the loop");
}

TEST_CASE("errors say why there is no stream") {
  std::uint16_t port = 0;
  {
    ServerOptions options;
    options.limits.connections = 0;  // so it refuses everyone
    Running plain(std::move(options));
    port = plain.port;
    const auto no_tls = connect_to(plain, true, 60s);
    REQUIRE_FALSE(no_tls.ok());
    CHECK(no_tls.error() == StreamError::no_tls);
  }
  const auto nobody = Stream::connect({.port = port}, after(60s));
  REQUIRE_FALSE(nobody.ok());
  CHECK(nobody.error() == StreamError::unreachable);
}

}  // namespace
}  // namespace dinette::tcp::stream_test
