// Loops, places and memory, which clients share fairly.
#include <algorithm>
#include <future>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>

#include "http/fixture.h"

namespace dinette::http::sharing_test {
namespace {

using namespace std::chrono_literals;

ServerOptions one_loop() {
  ServerOptions options;
  options.tcp.threads = 1;
  return options;
}

// A handler that holds the request "hold" until it is released.
struct Hold {
  std::latch entered{1};
  std::latch open{1};

  Handler handler() {
    return [this](const Request& request, Response& response) {
      echo(request, response);
      if (request.body != "hold") return;
      entered.count_down();
      open.wait();
    };
  }
};

TEST_CASE("pipelined requests do not starve other clients") {
  constexpr int pipelined = 20;
  std::latch entered{1};
  std::latch open{1};
  std::mutex mutex;
  std::vector<std::string> order;
  Running running(
      [&](const Request& request, Response& response) {
        echo(request, response);
        if (request.body == "0") {
          entered.count_down();
          open.wait();
        }
        const std::lock_guard lock(mutex);
        order.emplace_back(request.body);
      },
      one_loop());
  Client other(running.port);
  CHECK(other.ask(post("before")).status == 200);
  Client client(running.port);
  // After a large body, whose buffer could hold them all.
  std::string bytes = post(std::string(1'000'000, 'x'));
  for (int i = 0; i < pipelined; ++i) bytes += post(std::to_string(i));
  auto sent = std::async(std::launch::async, [&] { return client.send(bytes); });
  entered.wait();
  REQUIRE(sent.get());
  REQUIRE(other.send(post("other")));
  open.count_down();
  CHECK(other.receive().status == 200);
  for (int i = 0; i <= pipelined; ++i) CHECK(client.receive().status == 200);
  const auto turn = std::ranges::find(order, "other");
  CHECK(turn != order.end());
  CHECK(turn < std::ranges::find(order, std::to_string(3)));
}

TEST_CASE("new clients do not wait for a busy loop") {
  Hold hold;
  Running running(hold.handler());  // on two loops
  Client holder(running.port);
  REQUIRE(holder.send(post("hold")));
  hold.entered.wait();
  for (int i = 0; i < 10; ++i) CHECK(Client(running.port).ask(post("new")).status == 200);
  hold.open.count_down();
  CHECK(holder.receive().status == 200);
}

TEST_CASE("connections are spread over the loops") {
  std::mutex mutex;
  std::map<std::thread::id, int> loops;
  ServerOptions options;
  options.tcp.threads = 4;
  Running running(
      [&](const Request&, Response&) {
        const std::lock_guard lock(mutex);
        ++loops[std::this_thread::get_id()];
      },
      std::move(options));
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 40; ++i) {
    clients.push_back(std::make_unique<Client>(running.port));
    CHECK(clients.back()->ask(post("")).status == 200);
  }
  // A busy loop may lose a connection to another one.
  CHECK(loops.size() == 4);
}

ServerOptions two_places() {
  ServerOptions options = one_loop();
  options.tcp.limits.connections = 2;
  return options;
}

TEST_CASE("if the server is full, the connection that has been idle longest is closed") {
  Running running(&echo, two_places());
  Client first(running.port);
  CHECK(first.ask(post("1")).status == 200);
  running.time.advance(1s);
  running.server.sweep_now();
  Client second(running.port);
  CHECK(second.ask(post("2")).status == 200);
  running.time.advance(1s);
  running.server.sweep_now();
  SECTION("the first") {
    Client third(running.port);
    CHECK(third.ask(post("3")).status == 200);
    CHECK(first.closed_by_server());
    CHECK(second.ask(post("2")).status == 200);
  }
  SECTION("the second, once the first was used again") {
    CHECK(first.ask(post("1")).status == 200);
    Client third(running.port);
    CHECK(third.ask(post("3")).status == 200);
    CHECK(second.closed_by_server());
    CHECK(first.ask(post("1")).status == 200);
  }
}

TEST_CASE("if the server is full, a connection that never sent a request is closed first") {
  Running running(&echo, two_places());
  Client used(running.port);
  CHECK(used.ask(post("1")).status == 200);
  running.time.advance(1s);
  running.server.sweep_now();
  Client silent(running.port);
  until([&] { return running.server.open_connections() == 2; });
  Client third(running.port);
  CHECK(third.ask(post("3")).status == 200);
  CHECK(silent.closed_by_server());
  CHECK(used.ask(post("1")).status == 200);
}

TEST_CASE("if the server is full and no connection is idle, a new one gets 503") {
  ServerOptions options = two_places();
  options.tcp.workers = 2;
  std::latch entered{2};
  std::latch open{1};
  Running running(
      [&](const Request& request, Response& response) {
        echo(request, response);
        if (request.body != "hold") return;
        entered.count_down();
        open.wait();
      },
      std::move(options));
  Client first(running.port);
  Client second(running.port);
  REQUIRE(first.send(post("hold")));
  REQUIRE(second.send(post("hold")));
  entered.wait();
  for (int i = 0; i < 5; ++i) {
    Client third(running.port);
    CHECK(third.ask(post("3")).status == 503);
    CHECK(third.closed_by_server());
  }
  open.count_down();
  CHECK(first.receive().status == 200);
  CHECK(second.receive().status == 200);
  CHECK(Client(running.port).ask(post("3")).status == 200);
}

TEST_CASE("an incomplete request that holds too much memory is refused") {
  ServerOptions options = one_loop();
  options.tcp.limits.held_bytes = 1'500'000;
  Running running(&echo, std::move(options));
  const std::string large(1'200'000, 'x');
  const std::string small(600'000, 'x');
  const auto all_but_one = [](const std::string& body) {
    const std::string request = post(body);
    return request.substr(0, request.size() - 1);
  };
  Client greedy(running.port);
  Client modest(running.port);
  REQUIRE(greedy.send(all_but_one(large)));
  REQUIRE(modest.send(all_but_one(small)));
  // Refused if the server was reading, closed if it was waiting.
  const int status = greedy.receive().status;
  CHECK((status == 503 || status == 0));
  CHECK(greedy.closed_by_server());
  CHECK(modest.ask("x").body == "POST / " + small);
}

TEST_CASE("responses that are not read hold a limited amount of memory") {
  constexpr std::size_t size = 64 << 20;
  ServerOptions options = one_loop();
  options.tcp.limits.held_bytes = 100 << 20;
  Running running([](const Request&, Response& response) { response.body.assign(size, 'x'); },
                  std::move(options));
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(std::make_unique<Client>(running.port));
    REQUIRE(clients.back()->send(post("")));
    until([&] { return clients.back()->readable(); });
  }
  until([&] { return running.server.open_connections() == 1; });
}

}  // namespace
}  // namespace dinette::http::sharing_test
