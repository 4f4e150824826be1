#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/tcp/server.h"

#include "tcp/frames.h"
#include "tcp/socket.h"
#include "tcp/test_time.h"
#include "tcp/tls_socket.h"

namespace dinette::tcp {

/// A started server of frames on its own port.
struct Running {
  explicit Running(ServerOptions options = {}) : server(with_time(std::move(options), time), factory) {
    const auto started = server.start();
    if (!started) FAIL(started.error());
    port = *started;
  }
  /// The server waits for its workers. A failed test may have left some waiting.
  ~Running() { stage.open_all(); }

  static ServerOptions with_time(ServerOptions options, const TestTime& time) {
    options.steady_now = time;
    if (options.threads == 0) options.threads = 2;
    return options;
  }

  TestTime time;
  Stage stage;
  FramesFactory factory{stage};
  Server server;
  std::uint16_t port = 0;
};

inline constexpr std::size_t more_than_sockets_hold = 16 << 20;

struct Received {
  char stream = '\0';  ///< of an incomplete response
  std::string body;

  bool operator==(const Received&) const = default;
};

inline std::ostream& operator<<(std::ostream& out, const Received& received) {
  return out << received.stream << ": " << received.body.substr(0, 100);
}

inline Received receive(Socket& socket) {
  const std::string head = socket.receive_bytes(5);
  if (head.size() < 5) return {};
  std::size_t length = 0;
  for (int i = 1; i < 5; ++i)
    length = length << 8 | static_cast<unsigned char>(head[static_cast<std::size_t>(i)]);
  std::string body = socket.receive_bytes(length);
  if (body.size() < length) return {};
  return {head[0], std::move(body)};
}

inline Received ask(Socket& socket, char stream, std::string_view body) {
  REQUIRE(socket.send(frame(stream, body)));
  return receive(socket);
}

inline ServerOptions with_tls(bool tls = true) {
  ServerOptions options;
  if (tls) options.listen.tls.emplace();
  return options;
}

/// A client of a server with or without TLS.
inline std::unique_ptr<Socket> connect(std::uint16_t port, bool tls) {
  if (!tls) return std::make_unique<Socket>(port);
  auto socket = std::make_unique<TlsSocket>(port, "frames");
  REQUIRE(socket->handshake());
  return socket;
}

}  // namespace dinette::tcp
