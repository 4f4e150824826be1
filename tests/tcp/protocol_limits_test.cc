// Deadlines, places and memory of connections, for any protocol.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tcp/fixture.h"

namespace dinette::tcp::protocol_limits_test {
namespace {

using namespace std::chrono_literals;

ServerOptions with_deadlines(bool tls = false) {
  ServerOptions options = with_tls(tls);
  options.threads = 1;
  options.limits.first_byte_deadline = 5s;
  options.limits.idle_deadline = 100s;
  options.limits.request_deadline = 10s;
  return options;
}

void pass(Running& running, std::chrono::seconds time) {
  running.time.advance(time);
  running.server.sweep_now();
}

/// The response shows that everything sent before it has been read.
void send_half(Running& running, Socket& client) {
  REQUIRE(client.send(frame('h', "whole") + frame('h', "half").substr(0, 7)));
  CHECK(receive(client) == Received{'h', "whole"});
  running.server.sweep_now();
}

TEST_CASE("the first request has a shorter deadline than the next") {
  Running running(with_deadlines());
  Socket silent(running.port);
  Socket client(running.port);
  CHECK(ask(client, 'a', "1") == Received{'a', "1"});
  until([&] { return running.server.open_connections() == 2; });
  pass(running, 5s);
  CHECK(silent.closed_by_server());
  pass(running, 94s);
  CHECK(ask(client, 'a', "2") == Received{'a', "2"});
  pass(running, 99s);
  CHECK_FALSE(client.readable());
  pass(running, 1s);
  CHECK(client.closed_by_server());
}

TEST_CASE("a request that is not complete in time is refused by the protocol") {
  const bool tls = GENERATE(false, true);
  Running running(with_deadlines(tls));
  const auto client = connect(running.port, tls);
  CHECK(ask(*client, 's', "subscribe") == Received{'s', "subscribed"});
  send_half(running, *client);
  pass(running, 9s);
  CHECK_FALSE(client->readable());
  pass(running, 1s);
  CHECK(receive(*client) == Received{pushed, "too slow"});
  running.stage.push("after the last words");
  if (tls) pass(running, 5s);  // over TLS it shows only later that nothing follows
  CHECK(client->closed_by_server());
}

TEST_CASE("each request has its own deadline, even if part of one is always present") {
  Running running(with_deadlines());
  Socket client(running.port);
  for (int i = 0; i < 5; ++i) {
    send_half(running, client);
    pass(running, 9s);
    REQUIRE(client.send(frame('h', "half").substr(7)));
    CHECK(receive(client) == Received{'h', "half"});
  }
  send_half(running, client);
  pass(running, 10s);
  CHECK(receive(client) == Received{pushed, "too slow"});
}

TEST_CASE("pushes do not extend the deadline of a slow request") {
  Running running(with_deadlines());
  Socket client(running.port);
  CHECK(ask(client, 's', "subscribe") == Received{'s', "subscribed"});
  send_half(running, client);
  for (int i = 0; i < 9; ++i) {
    running.stage.push("news");
    CHECK(receive(client) == Received{pushed, "news"});
    pass(running, 1s);
  }
  CHECK_FALSE(client.readable());
  pass(running, 1s);
  CHECK(receive(client) == Received{pushed, "too slow"});
}

TEST_CASE("work has no deadline, and no deadline runs while the protocol takes no bytes") {
  Running running(with_deadlines());
  running.stage.most_in_flight = 1;
  Socket client(running.port);
  REQUIRE(client.send(frame('a', "wait") + frame('b', "half").substr(0, 7)));
  until([&] { return running.stage.entered("wait"); });
  pass(running, 1000s);
  CHECK_FALSE(client.readable());
  running.stage.open("wait");
  CHECK(receive(client) == Received{'a', "wait"});
  pass(running, 9s);
  CHECK_FALSE(client.readable());
  pass(running, 1s);
  CHECK(receive(client) == Received{pushed, "too slow"});
}

TEST_CASE("an idle connection releases memory, a busy one keeps it") {
  Running running(with_deadlines());
  Socket client(running.port);
  CHECK(ask(client, 'a', "trims?") == Received{'a', "0"});
  send_half(running, client);
  running.server.sweep_now();
  REQUIRE(client.send(frame('h', "half").substr(7)));
  CHECK(receive(client) == Received{'h', "half"});
  running.server.sweep_now();
  CHECK(ask(client, 'a', "trims?") == Received{'a', "1"});
}

TEST_CASE("a client that does not read is disconnected") {
  const bool tls = GENERATE(false, true);
  Running running(with_deadlines(tls));
  const auto client = connect(running.port, tls);
  CHECK(ask(*client, 'a', "subscribe") == Received{'a', "subscribed"});
  running.stage.push(std::string(more_than_sockets_hold, 'x'));
  until([&] { return client->readable(); });
  until([&] { return running.server.open_connections() == 0; }, [&] { pass(running, 10s); });
  CHECK(running.stage.push("more") == 0);
}

TEST_CASE("a client that reads slowly gets everything") {
  constexpr std::size_t steps = 5;
  ServerOptions options = with_deadlines();
  options.limits.idle_deadline = 20s;
  Running running(std::move(options));
  Socket client(running.port);
  CHECK(ask(client, 'a', "subscribe") == Received{'a', "subscribed"});
  running.stage.push(std::string(steps * more_than_sockets_hold, 'x'));
  CHECK(client.receive_bytes(5)[0] == pushed);
  for (std::size_t i = 0; i < steps; ++i) {
    REQUIRE(client.receive_bytes(more_than_sockets_hold).size() == more_than_sockets_hold);
    pass(running, 9s);
  }
  CHECK(ask(client, 'a', "next") == Received{'a', "next"});
}

TEST_CASE("a client that is slow in both directions is disconnected without a message") {
  Running running(with_deadlines());
  Socket client(running.port);
  CHECK(ask(client, 'a', "subscribe") == Received{'a', "subscribed"});
  running.stage.push(std::string(3 * more_than_sockets_hold, 'x'));
  until([&] { return client.readable(); });
  REQUIRE(client.send(frame('b', "half").substr(0, 7)));
  // It reads fast enough, but is late with its request.
  until([&] { return running.server.open_connections() == 0; },
        [&] {
          CHECK(client.receive_bytes(2 << 20).size() == 2 << 20);
          pass(running, 1s);
        });
  CHECK(client.receive_bytes(3 * more_than_sockets_hold).size() < 2 * more_than_sockets_hold);
}

TEST_CASE("if the server is full, an idle connection is closed; if there is none, the new one is refused") {
  ServerOptions options = with_deadlines();
  options.limits.connections = 1;
  Running running(std::move(options));
  Socket idle(running.port);
  CHECK(ask(idle, 'a', "1") == Received{'a', "1"});
  Socket busy(running.port);
  CHECK(ask(busy, 'a', "2") == Received{'a', "2"});
  CHECK(idle.closed_by_server());
  REQUIRE(busy.send(frame('a', "wait")));
  until([&] { return running.stage.entered("wait"); });
  Socket third(running.port);
  CHECK(receive(third) == Received{pushed, "no room"});
  CHECK(third.closed_by_server());
  running.stage.open("wait");
  CHECK(receive(busy) == Received{'a', "wait"});
  const ConnectionCounts counts = running.server.connections();
  CHECK(counts.accepted == 3);
  CHECK(counts.refused == 1);
  CHECK(counts.held_bytes == 0);
}

TEST_CASE("pushes that are not read hold a limited amount of memory") {
  ServerOptions options = with_deadlines();
  options.limits.held_bytes = more_than_sockets_hold * 3 / 2;
  Running running(std::move(options));
  std::vector<std::unique_ptr<Socket>> clients;
  for (std::size_t i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<Socket>(running.port));
    CHECK(ask(*clients.back(), 'a', "subscribe") == Received{'a', "subscribed"});
  }
  running.stage.push(std::string(more_than_sockets_hold, 'x'));
  until([&] { return running.server.open_connections() == 1; });
}

ServerOptions one_megabyte() {
  ServerOptions options = with_deadlines();
  options.limits.held_bytes = 1'000'000;
  return options;
}

TEST_CASE("incomplete requests hold a limited amount of memory") {
  Running running(one_megabyte());
  Socket modest(running.port);
  const std::string small = frame('a', std::string(400'000, 'x'));
  REQUIRE(modest.send(small.substr(0, small.size() - 1)));
  until([&] { return running.stage.bytes_received == small.size() - 1; });
  Socket greedy(running.port);
  REQUIRE(greedy.send(frame('b', std::string(900'000, 'x')).substr(0, 900'000)));
  CHECK(receive(greedy) == Received{pushed, "out of memory"});
  CHECK(greedy.closed_by_server());
  REQUIRE(modest.send("x"));
  CHECK(receive(modest).body.size() == 400'000);
}

TEST_CASE("a connection that awaits bytes is closed for memory without a message") {
  Running running(one_megabyte());
  Socket greedy(running.port);
  REQUIRE(greedy.send(frame('b', std::string(900'000, 'x')).substr(0, 900'000)));
  until([&] { return running.stage.bytes_received == 900'000; });
  Socket modest(running.port);
  const std::string small(400'000, 'x');
  CHECK(ask(modest, 'a', small) == Received{'a', small});
  CHECK(receive(greedy) == Received{});
}

TEST_CASE("requests that arrive together do not starve other clients") {
  constexpr int requests = 20;
  Running running(with_deadlines());
  Socket other(running.port);
  CHECK(ask(other, 'a', "before") == Received{'a', "before"});
  Socket client(running.port);
  CHECK(ask(client, 's', "subscribe") == Received{'s', "subscribed"});
  std::string bytes = frame('b', "hold the loop");
  for (int i = 0; i < requests; ++i) bytes += frame('b', std::to_string(i));
  REQUIRE(client.send(bytes));
  until([&] { return running.stage.entered("hold the loop"); });
  REQUIRE(other.send(frame('a', "other")));
  for (int i = 0; i < requests; ++i) running.stage.push("no reason to hurry");
  running.stage.open("hold the loop");
  CHECK(receive(other) == Received{'a', "other"});
  for (int i = 0; i <= 2 * requests; ++i) CHECK(receive(client).stream != '\0');
  const auto begun = running.stage.begun();
  const auto turn = std::ranges::find(begun, "other");
  CHECK(turn != begun.end());
  CHECK(turn < std::ranges::find(begun, "3"));
  CHECK(running.stage.unasked_turns == 0);
}

}  // namespace
}  // namespace dinette::tcp::protocol_limits_test
