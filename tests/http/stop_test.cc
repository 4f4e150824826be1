#include <atomic>
#include <future>
#include <latch>
#include <semaphore>

#include <catch2/catch.hpp>
#include <sys/socket.h>

#include "http/fixture.h"
#include "support/no_more_threads.h"

namespace dinette::http::stop_test {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds long_time{patience_seconds};

// A handler that signals when it is entered and waits to be released.
struct Gate {
  std::latch entered{1};
  std::latch open{1};

  Handler handler() {
    return [this](const Request& request, Response& response) {
      entered.count_down();
      open.wait();
      echo(request, response);
    };
  }
};

TEST_CASE("stopping lets a request in flight finish") {
  Gate gate;
  ServerOptions options;
  options.tcp.workers = GENERATE(0U, 1U);
  Running running(gate.handler(), std::move(options));
  Client client(running.port);
  REQUIRE(client.send(post("slow")));
  gate.entered.wait();
  auto stopped = std::async(std::launch::async, [&] { running.server.stop(long_time); });
  gate.open.count_down();
  CHECK(client.receive().body == "POST / slow");
  stopped.get();
  CHECK(client.closed_by_server());
  CHECK_FALSE(Client(running.port).connected());
}

TEST_CASE("the last response of a stopping server says that it closes") {
  Gate gate;
  ServerOptions options;
  options.tcp.threads = 1;  // the loop that has closed `idle` is the one that answers `client`
  options.tcp.workers = 1;
  Running running(gate.handler(), std::move(options));
  Client idle(running.port);
  Client client(running.port);
  REQUIRE(client.send(post("slow") + post("too late")));
  gate.entered.wait();
  auto stopped = std::async(std::launch::async, [&] { running.server.stop(long_time); });
  until([&] { return running.server.open_connections() == 1; });
  gate.open.count_down();
  CHECK(client.receive().has("Connection: close\r\n"));
  CHECK(client.closed_by_server());
  CHECK(idle.closed_by_server());
  stopped.get();
}

TEST_CASE("a stopping server waits for incomplete requests until the deadline") {
  Running running;
  Client client(running.port);
  CHECK(
      client.ask("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n").status ==
      100);
  SECTION("it comes") {
    auto stopped = std::async(std::launch::async, [&] { running.server.stop(long_time); });
    CHECK(client.ask("ok").body == "POST / ok");
    stopped.get();
  }
  SECTION("it does not come") {
    running.server.stop(0ms);
  }
  CHECK(client.closed_by_server());
  CHECK(running.server.open_connections() == 0);
}

TEST_CASE("a stopping server waits at most a second for an incomplete head") {
  ServerOptions options;
  options.tcp.threads = 1;
  options.tcp.sweep_interval = 1ms;
  Running running(&echo, std::move(options));
  Client idle(running.port);
  Client client(running.port);
  CHECK(client.ask(post("1") + "POST / HTTP/1.1\r\nContent-Le").status == 200);
  auto stopped = std::async(std::launch::async, [&] { running.server.stop(long_time); });
  CHECK(idle.closed_by_server());
  running.time.advance(500ms);
  CHECK(client.receive().status == 408);
  stopped.get();
}

TEST_CASE("a stopping server answers requests that have arrived, and says they are the last") {
  Gate gate;
  ServerOptions options;
  options.tcp.threads = 1;
  Running running(
      [&](const Request& request, Response& response) {
        if (request.body != "slow") return echo(request, response);
        gate.handler()(request, response);
      },
      std::move(options));
  Client client(running.port);
  CHECK(client.ask(post("1")).status == 200);
  Client slow(running.port);
  REQUIRE(slow.send(post("slow")));
  gate.entered.wait();
  REQUIRE(client.send(post("2")));  // not read yet: the loop is in the handler
  auto stopped = std::async(std::launch::async, [&] { running.server.stop(long_time); });
  until([&] { return !Client(running.port).connected(); });
  gate.open.count_down();
  const Answer answer = client.receive();
  CHECK(answer.body == "POST / 2");
  CHECK(client.closed_by_server());
  stopped.get();
}

TEST_CASE("a server stops between two pipelined requests") {
  constexpr int requests = 1000;
  std::counting_semaphore<requests> turns(0);
  std::atomic<int> entered = 0;
  ServerOptions options;
  options.tcp.threads = 1;
  Running running(
      [&](const Request& request, Response& response) {
        ++entered;
        turns.acquire();
        echo(request, response);
      },
      std::move(options));
  Client client(running.port);
  std::string bytes;
  for (int i = 0; i < requests; ++i) bytes += post("x");
  REQUIRE(client.send(bytes));
  until([&] { return entered == 1; });
  auto stopped = std::async(std::launch::async, [&] { running.server.stop(long_time); });
  until([&] { return !Client(running.port).connected(); });
  for (int i = 1; i < requests && stopped.wait_for(0s) != std::future_status::ready; ++i) {
    turns.release();
    until([&] { return entered > i || stopped.wait_for(0s) == std::future_status::ready; });
  }
  stopped.get();
  CHECK(entered < requests);
}

TEST_CASE("a server may be stopped twice, by several threads, or without a start") {
  Running running;
  Client client(running.port);
  CHECK(client.ask(post("1")).status == 200);
  auto one = std::async(std::launch::async, [&] { running.server.stop(long_time); });
  auto two = std::async(std::launch::async, [&] { running.server.stop(long_time); });
  one.get();
  two.get();
  running.server.stop(long_time);
  running.server.sweep_now();

  Server never({}, &echo);
  never.stop(long_time);
}

TEST_CASE("the error of a server that cannot start threads says so") {
  ServerOptions options;
  options.tcp.threads = 2;
  options.tcp.workers = GENERATE(0U, 3U);
  const std::string threads = options.tcp.workers == 0 ? "2" : "5";
  Server server(std::move(options), &echo);
  const test::NoMoreThreads none;
  const auto started = server.start();
  REQUIRE_FALSE(started.ok());
  INFO(started.error());
  CHECK(started.error().starts_with("Cannot start " + threads + " threads ("));
  CHECK(started.error().ends_with("): choose fewer, or allow the program more threads and open files."));
}

TEST_CASE("localhost is an address") {
  ServerOptions options;
  options.tcp.listen.addresses = {"localhost"};
  Running running(&echo, std::move(options));
  Client client(running.port);
  CHECK(client.ask(post("1")).status == 200);
}

}  // namespace
}  // namespace dinette::http::stop_test
