// Several ports of one server, each with a protocol of its own.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tcp/fixture.h"

namespace dinette::tcp::several_ports_test {
namespace {

/// A server of frames at two ports, which tell each other's connections apart by their stages.
struct TwoPorts {
  explicit TwoPorts(ServerOptions options = {}, PortOptions second = {})
      : server(Running::with_time(std::move(options), time), first) {
    server.listen(std::move(second), other);
    const auto started = server.start();
    if (!started) FAIL(started.error());
    ports = server.ports();
  }
  ~TwoPorts() {
    first_stage.open_all();
    other_stage.open_all();
  }

  TestTime time;
  Stage first_stage;
  Stage other_stage;
  FramesFactory first{first_stage};
  FramesFactory other{other_stage};
  Server server;
  std::vector<std::uint16_t> ports;
};

TEST_CASE("each port has its own protocol") {
  TwoPorts two;
  REQUIRE(two.ports.size() == 2);
  REQUIRE(two.ports[0] != two.ports[1]);
  Socket client(two.ports[0]);
  Socket other(two.ports[1]);
  CHECK(ask(client, 'a', "first") == Received{'a', "first"});
  CHECK(ask(other, 'b', "second") == Received{'b', "second"});
  CHECK(two.first_stage.begun() == std::vector<std::string>{"first"});
  CHECK(two.other_stage.begun() == std::vector<std::string>{"second"});
}

TEST_CASE("one port may have TLS, and another not") {
  PortOptions secured;
  secured.tls = TlsOptions();
  TwoPorts two({}, std::move(secured));
  const auto plain = connect(two.ports[0], false);
  const auto secure = connect(two.ports[1], true);
  CHECK(ask(*plain, 'a', "secure?") == Received{'a', "no"});
  CHECK(ask(*secure, 'a', "secure?") == Received{'a', "yes"});
}

TEST_CASE("ports share the maximum of connections, and are stopped together") {
  ServerOptions options;
  options.threads = 1;
  options.limits.connections = 1;
  TwoPorts two(std::move(options));
  Socket idle(two.ports[0]);
  CHECK(ask(idle, 'a', "1") == Received{'a', "1"});
  Socket other(two.ports[1]);
  CHECK(ask(other, 'b', "2") == Received{'b', "2"});
  CHECK(idle.closed_by_server());
  CHECK(two.server.connections().accepted == 2);
  two.server.stop(std::chrono::seconds(10));
  CHECK(other.closed_by_server());
}

TEST_CASE("a protocol with several requests in flight has the workers of all ports") {
  ServerOptions options;
  options.waiters = 2;
  TwoPorts two(std::move(options));
  Socket client(two.ports[0]);
  Socket other(two.ports[1]);
  REQUIRE(client.send(frame('a', "wait")));
  REQUIRE(other.send(frame('b', "wait") + frame('c', "quick")));
  CHECK(receive(other) == Received{'c', "quick"});
  until([&] { return two.first_stage.entered("wait") && two.other_stage.entered("wait"); });
  two.other_stage.open("wait");
  CHECK(receive(other) == Received{'b', "wait"});
  two.first_stage.open("wait");
  CHECK(receive(client) == Received{'a', "wait"});
}

TEST_CASE("a server does not start if one of its ports is taken") {
  TwoPorts two;
  Stage stage;
  FramesFactory factory{stage};
  Server server({}, factory);
  PortOptions taken;
  taken.port = two.ports[1];
  server.listen(std::move(taken), factory);
  const auto started = server.start();
  REQUIRE_FALSE(started);
  CHECK_THAT(started.error(), Catch::Contains(std::to_string(two.ports[1])));
}

}  // namespace
}  // namespace dinette::tcp::several_ports_test
