#include <latch>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "http/fixture.h"
#include "support/no_more_threads.h"

// Requests that must wait for others leave the event loop (Response::must_wait).
namespace dinette::http::waiting_test {
namespace {

ServerOptions one_loop() {
  ServerOptions options;
  options.tcp.threads = 1;
  return options;
}

/// Answers "wait" only when the gate is open, and waits for that only where it may.
struct Gate {
  std::latch open{1};
  std::mutex mutex;
  std::vector<bool> calls;  ///< for "wait": Request::may_wait of each

  Handler handler() {
    return [this](const Request& request, Response& response) {
      if (request.body == "wait" && !passes(request, response)) return;
      echo(request, response);
    };
  }

  bool passes(const Request& request, Response& response) {
    {
      const std::lock_guard guard(mutex);
      calls.push_back(request.may_wait);
    }
    if (request.may_wait) {
      open.wait();
    } else {
      response.body = "half an answer";
      response.status = 404;
      response.add_header("x-half", "1");
      response.must_wait = true;
    }
    return request.may_wait;
  }
};

TEST_CASE("a request that must wait leaves the loop, which serves its other clients") {
  Gate gate;
  Running running(gate.handler(), one_loop());
  Client waiting(running.port);
  Client other(running.port);
  REQUIRE(waiting.send(post("wait") + post("next")));
  for (int i = 0; i < 10; ++i) REQUIRE(other.ask(post("other")).body == "POST / other");
  gate.open.count_down();
  const Answer answer = waiting.receive();
  CHECK(answer.status == 200);
  CHECK(answer.body == "POST / wait");
  CHECK_FALSE(answer.has("x-half"));
  CHECK(waiting.receive().body == "POST / next");
  CHECK(gate.calls == std::vector<bool>{false, true});
}

TEST_CASE("requests that wait do not wait for each other while there are threads") {
  std::latch all_wait(4);
  ServerOptions options = one_loop();
  options.tcp.waiters = 4;
  Running running(
      [&](const Request& request, Response& response) {
        response.must_wait = !request.may_wait;
        if (response.must_wait) return;
        all_wait.arrive_and_wait();
        echo(request, response);
      },
      std::move(options));
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 4; ++i) clients.push_back(std::make_unique<Client>(running.port));
  for (const auto& client : clients) REQUIRE(client->send(post("wait")));
  for (const auto& client : clients) CHECK(client->receive().body == "POST / wait");
}

TEST_CASE("if more requests must wait than there are threads, they take turns") {
  ServerOptions options = one_loop();
  options.tcp.waiters = 2;
  Running running(
      [](const Request& request, Response& response) {
        response.must_wait = !request.may_wait;
        echo(request, response);
      },
      std::move(options));
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 20; ++i) clients.push_back(std::make_unique<Client>(running.port));
  for (const auto& client : clients) REQUIRE(client->send(post("wait") + post("again")));
  for (const auto& client : clients) {
    CHECK(client->receive().body == "POST / wait");
    CHECK(client->receive().body == "POST / again");
  }
}

TEST_CASE("the second call sees the first one's progress, the next request does not") {
  Running running(
      [](const Request& request, Response& response) {
        const auto left = std::static_pointer_cast<std::string>(response.progress);
        if (!request.may_wait && request.body == "wait") {
          response.progress = std::make_shared<std::string>("progress");
          response.must_wait = true;
          return;
        }
        response.body = left ? *left : "none";
      },
      one_loop());
  Client client(running.port);
  CHECK(client.ask(post("wait")).body == "progress");
  CHECK(client.ask(post("next")).body == "none");
}

TEST_CASE("if workers run the handler anyway, it may wait immediately") {
  Gate gate;
  gate.open.count_down();
  ServerOptions options = one_loop();
  options.tcp.workers = 1;
  Running running(gate.handler(), std::move(options));
  Client client(running.port);
  CHECK(client.ask(post("wait")).body == "POST / wait");
  CHECK(gate.calls == std::vector<bool>{true});
}

TEST_CASE(
    "a request that must wait when no thread can be started is answered 500, and the connection goes on") {
  Gate gate;
  Running running(gate.handler(), one_loop());
  Client client(running.port);
  {
    const test::NoMoreThreads none;
    CHECK(client.ask(post("wait")).status == 500);
    CHECK(client.ask(post("next")).body == "POST / next");
  }
  gate.open.count_down();
  CHECK(client.ask(post("wait")).body == "POST / wait");
}

}  // namespace
}  // namespace dinette::http::waiting_test
