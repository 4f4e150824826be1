#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/pending.h"

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

/// Responses that are due when the test says so.
struct Later {
  struct One final : Deferral {
    explicit One(Later& its_owner) : owner(its_owner) {}
    void when_due(std::function<void()> resume) override {
      const std::lock_guard guard(owner.mutex);
      owner.waiting.push_back(std::move(resume));
      owner.came.notify_all();
    }
    Later& owner;
  };

  std::mutex mutex;
  std::condition_variable came;
  std::vector<std::function<void()>> waiting;

  /// Returns them once so many wait.
  std::vector<std::function<void()>> take(std::size_t count) {
    std::unique_lock lock(mutex);
    came.wait(lock, [&] { return waiting.size() == count; });
    return std::exchange(waiting, {});
  }

  /// Defers "hold" when it is answered, "hold and drop" likewise, and "run later" before that.
  Handler handler() {
    return [this](const Request& request, Response& response) {
      response.must_wait = !request.may_wait;
      if (response.must_wait) return;
      const auto deferred = std::exchange(response.deferral, nullptr);
      if (request.body.starts_with("hold") || (request.body == "run later" && !deferred))
        response.deferral = std::make_shared<One>(*this);
      response.drop = request.body == "hold and drop";
      response.must_wait = request.body == "run later" && !deferred;
      response.body = deferred ? "resumed: " : "";
      echo(request, response);
    };
  }
};

TEST_CASE("requests that are deferred take no thread, and are answered when they are due") {
  Later later;
  ServerOptions options = one_loop();
  options.tcp.waiters = 1;
  Running running(later.handler(), std::move(options));
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(std::make_unique<Client>(running.port));
    REQUIRE(clients.back()->send(post(i % 2 == 0 ? "hold" : "run later") + post("next")));
  }
  const auto waiting = later.take(20);
  Client other(running.port);
  CHECK(other.ask(post("other")).body == "POST / other");
  for (const auto& resume : waiting) resume();
  for (std::size_t i = 0; i < clients.size(); ++i) {
    CHECK(clients[i]->receive().body == (i % 2 == 0 ? "POST / hold" : "resumed: POST / run later"));
    CHECK(clients[i]->receive().body == "POST / next");
  }
}

/// Requests that begin something where they may not wait, and find it when they run again.
struct Begun {
  Later later;
  std::mutex mutex;
  std::vector<bool> calls;  ///< Request::may_wait of each

  Handler handler() {
    return [this](const Request& request, Response& response) {
      {
        const std::lock_guard guard(mutex);
        calls.push_back(request.may_wait);
      }
      base::PendingWork& work = *base::pending_work();
      const std::size_t wanted = request.body == "twice" ? 2 : 1;
      const bool begins = request.body != "next" && !request.may_wait && work.begun().size() < wanted;
      if (begins) work.add(std::make_shared<Later::One>(later));
      if (begins && request.body == "write") work.require_waiting();
      response.must_wait = begins || (request.body == "then wait" && !request.may_wait);
      response.body = std::to_string(work.begun().size()) + " begun: ";
      echo(request, response);
    };
  }
};

TEST_CASE("a request that has begun something runs again on the loop when that is due") {
  Begun begun;
  Running running(begun.handler(), one_loop());
  Client client(running.port);
  REQUIRE(client.send(post("once") + post("next")));
  Client other(running.port);
  const auto waiting = begun.later.take(1);
  CHECK(other.ask(post("next")).body == "0 begun: POST / next");
  waiting.front()();
  CHECK(client.receive().body == "1 begun: POST / once");
  CHECK(client.receive().body == "0 begun: POST / next");
  CHECK(std::ranges::none_of(begun.calls, [](bool may_wait) { return may_wait; }));
}

TEST_CASE("a request may begin one thing after the other, and go to a thread at last") {
  Begun begun;
  Running running(begun.handler(), one_loop());
  Client client(running.port);
  REQUIRE(client.send(post("twice")));
  begun.later.take(1).front()();
  begun.later.take(1).front()();
  CHECK(client.receive().body == "2 begun: POST / twice");
  REQUIRE(client.send(post("then wait")));
  begun.later.take(1).front()();
  CHECK(client.receive().body == "1 begun: POST / then wait");
  CHECK(begun.calls == std::vector<bool>{false, false, false, false, false, true});
}

TEST_CASE("a request that is going to wait runs next where it may") {
  Begun begun;
  Running running(begun.handler(), one_loop());
  Client client(running.port);
  REQUIRE(client.send(post("write") + post("next")));
  begun.later.take(1).front()();
  CHECK(client.receive().body == "1 begun: POST / write");
  CHECK(client.receive().body == "0 begun: POST / next");
  CHECK(begun.calls == std::vector<bool>{false, true, false});
}

TEST_CASE("what a request has begun may end after its connection and the server") {
  Begun begun;
  std::vector<std::function<void()>> of_both;
  {
    Running running(begun.handler(), one_loop());
    {
      Client gone(running.port);
      REQUIRE(gone.send(post("once")));
      of_both = begun.later.take(1);
    }
    Client client(running.port);
    REQUIRE(client.send(post("once")));
    of_both.push_back(begun.later.take(1).front());
  }
  for (const auto& resume : of_both) resume();
}

TEST_CASE("a deferred response may be dropped when it is due") {
  Later later;
  Running running(later.handler(), one_loop());
  Client client(running.port);
  REQUIRE(client.send(post("hold and drop") + post("next")));
  const auto waiting = later.take(1);
  CHECK(running.server.open_connections() == 1);
  waiting[0]();
  CHECK(client.closed_by_server());
}

TEST_CASE("a deferred request that is due when its connection, or the server, is gone does no harm") {
  Later later;
  std::vector<std::function<void()>> waiting;
  {
    Running running(later.handler(), one_loop());
    {
      Client client(running.port);
      REQUIRE(client.send(post("hold")));
      for (const auto& resume : later.take(1)) waiting.push_back(resume);
    }
    Client client(running.port);
    REQUIRE(client.send(post("run later")));
    for (const auto& resume : later.take(1)) waiting.push_back(resume);
    waiting[0]();
    running.server.stop(std::chrono::milliseconds(0));
    CHECK(client.closed_by_server());
    waiting[1]();
  }
  for (const auto& resume : waiting) resume();
}

TEST_CASE("a stopping server answers deferred requests that are due in time") {
  Later later;
  Running running(later.handler(), one_loop());
  Client client(running.port);
  REQUIRE(client.send(post("run later")));
  const auto waiting = later.take(1);
  auto stopped =
      std::async(std::launch::async, [&] { running.server.stop(std::chrono::seconds(patience_seconds)); });
  waiting[0]();
  CHECK(client.receive().body == "resumed: POST / run later");
  stopped.get();
}

}  // namespace
}  // namespace dinette::http::waiting_test
