#include <atomic>
#include <new>

#include <catch2/catch.hpp>

#include "http/fixture.h"

namespace dinette::http::deadline_test {
namespace {

using namespace std::chrono_literals;

ServerOptions with_deadlines() {
  ServerOptions options;
  options.tcp.limits.idle_deadline = 100s;
  options.tcp.limits.request_deadline = 10s;
  return options;
}

TEST_CASE("an idle connection is closed at its deadline, not before") {
  Running running(&echo, with_deadlines());
  Client client(running.port);
  CHECK(client.ask(post("1")).status == 200);
  running.server.sweep_now();
  running.time.advance(99s);
  running.server.sweep_now();
  CHECK(client.ask(post("2")).status == 200);
  running.time.advance(100s);
  running.server.sweep_now();
  CHECK(client.closed_by_server());
  CHECK(running.server.open_connections() == 0);
}

TEST_CASE("a connection that never sends a byte is closed sooner") {
  ServerOptions options = with_deadlines();
  options.tcp.limits.first_byte_deadline = 5s;
  Running running(&echo, std::move(options));
  Client silent(running.port);
  Client client(running.port);
  CHECK(client.ask(post("1")).status == 200);
  int seconds = 0;
  until([&] { return silent.readable(); },
        [&] {
          running.time.advance(1s);
          running.server.sweep_now();
          ++seconds;
        });
  CHECK(seconds >= 5);
  CHECK(seconds < 100);
  CHECK(silent.closed_by_server());
  CHECK(client.ask(post("2")).status == 200);
}

TEST_CASE("sweeps continue after one fails") {
  tcp::TestTime time;
  std::atomic<bool> failing = false;
  ServerOptions options = with_deadlines();
  options.tcp.threads = 1;
  options.tcp.sweep_interval = 1ms;
  options.tcp.steady_now = [&] {
    if (failing.exchange(false)) throw std::bad_alloc();
    return time();
  };
  Server server(std::move(options), &echo);
  const auto port = server.start();
  REQUIRE(port.ok());
  Client client(*port);
  CHECK(client.ask(post("1")).status == 200);
  failing = true;
  until([&] { return !failing; });
  time.advance(100s);
  CHECK(client.closed_by_server());
}

TEST_CASE("a request that is not complete in time gets 408") {
  Running running(&echo, with_deadlines());
  Client client(running.port);
  SECTION("in its head") {
    // The response to the complete request shows that the part after it has arrived, too.
    CHECK(client.ask(post("1") + "POST / HTTP/1.1\r\nHost: h\r\nContent-").status == 200);
  }
  SECTION("in its body") {
    CHECK(client.ask("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
              .status == 100);
  }
  running.time.advance(9s);
  running.server.sweep_now();
  CHECK_FALSE(client.readable());
  running.time.advance(1s);
  running.server.sweep_now();
  const Answer answer = client.receive();
  CHECK(answer.status == 408);
  CHECK(answer.has("Connection: close\r\n"));
  CHECK(client.send("what comes too late"));
  CHECK(client.closed_by_server());
}

TEST_CASE("bytes that trickle in do not extend the deadline") {
  Running running(&echo, with_deadlines());
  Client client(running.port);
  CHECK(client.ask(post("1") + "POST / HTTP/1.1\r\nHost: h\r\n").status == 200);
  for (int i = 0; i < 9; ++i) {
    REQUIRE(client.send("x: 1\r\n"));
    running.time.advance(1s);
    running.server.sweep_now();
  }
  CHECK_FALSE(client.readable());
  running.time.advance(1s);
  running.server.sweep_now();
  CHECK(client.receive().status == 408);
}

TEST_CASE("a client that does not read its response is disconnected") {
  Running running([](const Request&, Response& response) { response.body.assign(64 << 20, 'x'); },
                  with_deadlines());
  Client client(running.port);
  REQUIRE(client.send(post("")));
  until([&] { return client.readable(); });
  until([&] { return running.server.open_connections() == 0; },
        [&] {
          running.time.advance(10s);
          running.server.sweep_now();
        });
  CHECK(client.receive().body.size() < 64u << 20);
}

TEST_CASE("a client that reads its response slowly gets all of it") {
  constexpr std::size_t step = 16 << 20;  // more than both sockets hold, so the server writes meanwhile
  constexpr std::size_t size = 6 * step;
  Running running([](const Request&, Response& response) { response.body.assign(size, 'x'); },
                  with_deadlines());
  Client client(running.port);
  REQUIRE(client.send(post("")));
  std::string buffer(step, ' ');
  std::size_t taken = 0;
  for (ssize_t n = 0; taken < size; taken += static_cast<std::size_t>(n)) {
    n = ::recv(client.descriptor(), buffer.data(), buffer.size(), MSG_WAITALL);
    REQUIRE(n > 0);
    running.time.advance(9s);
    running.server.sweep_now();
  }
}

TEST_CASE("a refused client that does not close is disconnected") {
  Running running(&echo, with_deadlines());
  Client client(running.port);
  CHECK(client.ask("nonsense\r\n\r\n").status == 400);
  running.time.advance(10s);
  running.server.sweep_now();
  CHECK(running.server.open_connections() == 0);
}

TEST_CASE("accepting continues after a connection fails") {
  std::atomic<bool> failing = false;
  ServerOptions options;
  options.tcp.limits.connections = 0;  // each one is refused
  options.date_now = [&]() -> std::time_t { return failing ? throw std::bad_alloc() : 0; };
  Running running(&echo, std::move(options));
  {
    failing = true;
    Client first(running.port);
    CHECK(first.closed_by_server());
    failing = false;
    Client second(running.port);
    CHECK(second.receive().status == 503);
  }
  until([&] { return running.server.open_connections() == 0; });
}

}  // namespace
}  // namespace dinette::http::deadline_test
