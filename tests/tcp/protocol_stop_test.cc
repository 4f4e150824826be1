// Stopping a server whose clients have several requests in flight.
#include <future>
#include <string>

#include <catch2/catch.hpp>

#include "tcp/fixture.h"

namespace dinette::tcp::protocol_stop_test {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds long_time{2 * patience_seconds};

/// Starts to stop the server. It accepts no connections once this returns.
std::future<void> begin_to_stop(Running& running) {
  auto stopped = std::async(std::launch::async, [&] { running.server.stop(long_time); });
  until([&] { return !Socket(running.port).connected(); });
  return stopped;
}

TEST_CASE("stopping lets all requests in flight finish, and closes idle connections") {
  const bool tls = GENERATE(false, true);
  ServerOptions options = with_tls(tls);
  options.threads = 1;          // the loop that closes `idle` also answers `client`
  options.sweep_interval = 1h;  // nothing waits for a sweep
  Running running(std::move(options));
  const auto idle = connect(running.port, tls);
  CHECK(ask(*idle, 'a', "subscribe") == Received{'a', "subscribed"});
  const auto client = connect(running.port, tls);
  REQUIRE(client->send(frame('a', "wait 1") + frame('b', "wait 2")));
  until([&] { return running.stage.entered("wait 1") && running.stage.entered("wait 2"); });
  auto stopped = begin_to_stop(running);
  CHECK(idle->closed_by_server());
  until([&] { return running.server.open_connections() == 1; });
  running.stage.open("wait 2");
  CHECK(receive(*client) == Received{'b', "wait 2, the last"});
  CHECK(running.server.open_connections() == 1);
  running.stage.open("wait 1");
  CHECK(receive(*client) == Received{'a', "wait 1, the last"});
  CHECK(client->closed_by_server());
  stopped.get();
}

TEST_CASE("a stopping server waits for the rest of a request, but only briefly for its head") {
  ServerOptions options;
  options.threads = 1;
  options.sweep_interval = 1ms;
  Running running(std::move(options));
  Socket idle(running.port);
  Socket in_head(running.port);
  Socket in_body(running.port);
  CHECK(ask(idle, 'a', "1") == Received{'a', "1"});
  REQUIRE(in_head.send(frame('a', "1") + frame('a', "2").substr(0, 3)));
  CHECK(receive(in_head) == Received{'a', "1"});
  REQUIRE(in_body.send(frame('a', "1") + frame('a', "22").substr(0, 6)));
  CHECK(receive(in_body) == Received{'a', "1"});
  auto stopped = begin_to_stop(running);
  CHECK(idle.closed_by_server());
  running.time.advance(500ms);
  CHECK(receive(in_head) == Received{pushed, "too slow"});
  CHECK(in_head.closed_by_server());
  REQUIRE(in_body.send(frame('a', "22").substr(6)));
  CHECK(receive(in_body) == Received{'a', "22"});
  CHECK(in_body.closed_by_server());
  stopped.get();
}

TEST_CASE("requests in flight at the deadline are cut off, and their work is awaited") {
  Running running;
  Socket client(running.port);
  REQUIRE(client.send(frame('a', "wait")));
  until([&] { return running.stage.entered("wait"); });
  auto stopped = std::async(std::launch::async, [&] { running.server.stop(0ms); });
  CHECK(client.closed_by_server());
  CHECK_FALSE(running.stage.has_ended("wait"));
  running.stage.open("wait");
  stopped.get();
  CHECK(running.stage.has_ended("wait"));
}

}  // namespace
}  // namespace dinette::tcp::protocol_stop_test
