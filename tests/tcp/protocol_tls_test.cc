// Negotiation of protocols over TLS.
#include <string>

#include <catch2/catch.hpp>

#include "tcp/fixture.h"

namespace dinette::tcp::protocol_tls_test {
namespace {

TEST_CASE("a client may ask for the protocol by name, and is refused if it asks only for others") {
  Running running(with_tls());
  TlsSocket named(running.port, "frames");
  REQUIRE(named.handshake());
  CHECK(named.chosen() == "frames");
  CHECK(ask(named, 'a', "1") == Received{'a', "1"});
  TlsSocket unnamed(running.port);
  REQUIRE(unnamed.handshake());
  CHECK(unnamed.chosen() == "");
  CHECK(ask(unnamed, 'a', "1") == Received{'a', "1"});
  CHECK_FALSE(TlsSocket(running.port, "http/1.1").handshake());
}

TEST_CASE("a protocol without a name is served whatever the client asks for") {
  Running running(with_tls());
  running.stage.alpn = "";
  TlsSocket client(running.port, "http/1.1");
  REQUIRE(client.handshake());
  CHECK(client.chosen() == "");
  CHECK(ask(client, 'a', "1") == Received{'a', "1"});
}

TEST_CASE("a client that speaks HTTP without TLS is refused by the protocol") {
  Running running(with_tls());
  Socket client(running.port);
  REQUIRE(client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  CHECK(receive(client) == Received{pushed, "not TLS"});
  CHECK(client.closed_by_server());
}

TEST_CASE("a client that speaks neither TLS nor HTTP is disconnected") {
  Running running(with_tls());
  Socket client(running.port);
  REQUIRE(client.send(frame('a', "hello") + "hello"));
  CHECK(receive(client) == Received{});
  until([&] { return running.server.open_connections() == 0; });
}

}  // namespace
}  // namespace dinette::tcp::protocol_tls_test
