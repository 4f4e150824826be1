// What tcp promises to protocols, tested with frames.h: requests, responses, pushes, failures.
#include "dinette/tcp/protocol.h"

#include <future>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tcp/fixture.h"

namespace dinette::tcp::protocol_test {
namespace {

TEST_CASE("requests are answered, over plain connections and TLS") {
  const bool tls = GENERATE(false, true);
  Running running(with_tls(tls));
  const auto client = connect(running.port, tls);
  CHECK(ask(*client, 'a', "hello") == Received{'a', "hello"});
  CHECK(ask(*client, 'b', "") == Received{'b', ""});
  CHECK(ask(*client, 'c', "secure?") == Received{'c', tls ? "yes" : "no"});
  const std::string large(3'000'000, 'x');
  auto sent = std::async(std::launch::async, [&] { return client->send(frame('d', large)); });
  CHECK(receive(*client) == Received{'d', large});
  CHECK(sent.get());
}

TEST_CASE("a request in two packets, split at any byte, is answered") {
  Running running;
  Socket client(running.port);
  const std::string request = frame('a', "body");
  for (std::size_t split = 1; split < request.size(); ++split) {
    REQUIRE(client.send(request.substr(0, split)));
    REQUIRE(client.send(request.substr(split)));
    REQUIRE(receive(client) == Received{'a', "body"});
  }
}

TEST_CASE("requests that arrive together are all answered") {
  Running running;
  Socket client(running.port);
  std::string requests;
  for (int i = 0; i < 500; ++i) requests += frame('a', std::to_string(i));
  REQUIRE(client.send(requests));
  for (int i = 0; i < 500; ++i) REQUIRE(receive(client) == Received{'a', std::to_string(i)});
}

TEST_CASE("several requests are in flight, and answered in any order") {
  const bool tls = GENERATE(false, true);
  ServerOptions options = with_tls(tls);
  options.workers = GENERATE(0U, 2U);
  Running running(std::move(options));
  const auto client = connect(running.port, tls);
  REQUIRE(client->send(frame('a', "wait 1") + frame('b', "wait 2") + frame('c', "now")));
  CHECK(receive(*client) == Received{'c', "now"});
  until([&] { return running.stage.entered("wait 1") && running.stage.entered("wait 2"); });
  CHECK(ask(*client, 'd', "in between") == Received{'d', "in between"});
  running.stage.open("wait 2");
  CHECK(receive(*client) == Received{'b', "wait 2"});
  running.stage.open("wait 1");
  CHECK(receive(*client) == Received{'a', "wait 1"});
}

TEST_CASE("reading pauses while a protocol takes no requests") {
  Running running;
  running.stage.most_in_flight = 1;
  Socket client(running.port);
  REQUIRE(client.send(frame('a', "wait 1") + frame('b', "wait 2") + frame('c', "now")));
  until([&] { return running.stage.entered("wait 1"); });
  running.stage.open("wait 1");
  CHECK(receive(client) == Received{'a', "wait 1"});
  until([&] { return running.stage.entered("wait 2"); });
  CHECK_FALSE(client.readable());
  running.stage.open("wait 2");
  CHECK(receive(client) == Received{'b', "wait 2"});
  CHECK(receive(client) == Received{'c', "now"});
}

TEST_CASE("other threads push at any time") {
  const bool tls = GENERATE(false, true);
  Running running(with_tls(tls));
  const auto client = connect(running.port, tls);
  CHECK(ask(*client, 'a', "subscribe") == Received{'a', "subscribed"});
  CHECK(running.stage.push("to an idle client") == 1);
  CHECK(receive(*client) == Received{pushed, "to an idle client"});

  const std::string half = frame('b', "half a request");
  REQUIRE(client->send(half.substr(0, 7)));
  running.stage.push("within a request");
  CHECK(receive(*client) == Received{pushed, "within a request"});
  REQUIRE(client->send(half.substr(7)));
  CHECK(receive(*client) == Received{'b', "half a request"});
}

TEST_CASE("pushes arrive in order, once") {
  const bool tls = GENERATE(false, true);
  Running running(with_tls(tls));
  const auto client = connect(running.port, tls);
  CHECK(ask(*client, 'a', "subscribe") == Received{'a', "subscribed"});
  const auto body = [](std::size_t i) { return std::to_string(i) + std::string(100 * i, 'x'); };
  for (std::size_t i = 0; i < 300; ++i) running.stage.push(body(i));
  for (std::size_t i = 0; i < 300; ++i) REQUIRE(receive(*client) == Received{pushed, body(i)});
}

TEST_CASE("requests are read while the client does not read") {
  const bool tls = GENERATE(false, true);
  Running running(with_tls(tls));
  const auto client = connect(running.port, tls);
  CHECK(ask(*client, 'a', "subscribe") == Received{'a', "subscribed"});
  const std::string large(more_than_sockets_hold, 'x');
  running.stage.push(large);
  until([&] { return client->readable(); });
  REQUIRE(client->send(frame('b', "wait")));
  until([&] { return running.stage.entered("wait"); });
  running.stage.open("wait");
  CHECK(receive(*client) == Received{pushed, large});
  CHECK(receive(*client) == Received{'b', "wait"});
}

TEST_CASE("pushes to a closed connection are dropped and return false") {
  Running running;
  {
    Socket client(running.port);
    CHECK(ask(client, 'a', "subscribe") == Received{'a', "subscribed"});
  }
  until([&] { return running.server.open_connections() == 0; });
  CHECK(running.stage.push("too late") == 0);
}

TEST_CASE("pushes may outlive the server") {
  Stage stage;
  FramesFactory factory(stage);
  {
    Server server({.threads = 1}, factory);
    const auto port = server.start();
    REQUIRE(port.ok());
    Socket client(*port);
    CHECK(ask(client, 'a', "subscribe") == Received{'a', "subscribed"});
  }
  CHECK(stage.push("too late") == 0);
}

TEST_CASE("clients come and go while others push") {
  Running running;
  std::atomic<bool> done = false;
  auto pusher = std::async(std::launch::async, [&] {
    while (!done) running.stage.push("news");
  });
  std::vector<std::future<bool>> clients;
  for (int id = 0; id < 4; ++id) {
    clients.push_back(std::async(std::launch::async, [&] {
      for (int i = 0; i < 50; ++i) {
        Socket client(running.port);
        if (!client.send(frame('a', "subscribe"))) return false;
        if (receive(client) != Received{'a', "subscribed"}) return false;
        if (receive(client) != Received{pushed, "news"}) return false;
      }
      return true;
    }));
  }
  for (auto& client : clients) CHECK(client.get());
  done = true;
  pusher.get();
}

TEST_CASE("a protocol ends its connection after its last output") {
  const bool tls = GENERATE(false, true);
  Running running(with_tls(tls));
  auto client = connect(running.port, tls);
  CHECK(ask(*client, 'a', "close") == Received{'a', "closing"});
  CHECK(client->closed_by_server());
  client.reset();
  until([&] { return running.server.open_connections() == 0; });
}

TEST_CASE("an exception closes only its connection") {
  Running running;
  Socket other(running.port);
  CHECK(ask(other, 'a', "before") == Received{'a', "before"});
  for (const char* const place : {"throw", "throw in work", "throw an int in work", "throw after work"}) {
    INFO(place);
    Socket client(running.port);
    REQUIRE(client.send(frame('a', place)));
    CHECK(client.closed_by_server());
  }
  CHECK(ask(other, 'a', "after") == Received{'a', "after"});
}

TEST_CASE("a client that disconnects with requests in flight does not affect others") {
  Running running;
  {
    Socket client(running.port);
    REQUIRE(client.send(frame('a', "wait") + frame('b', "wait")));
    until([&] { return running.stage.entered("wait"); });
  }
  until([&] { return running.server.open_connections() == 0; });
  running.stage.open("wait");
  until([&] { return running.stage.has_ended("wait"); });
  Socket other(running.port);
  CHECK(ask(other, 'a', "after") == Received{'a', "after"});
}

}  // namespace
}  // namespace dinette::tcp::protocol_test
