#include "tcp/events.h"

#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/socket.h>
#include <unistd.h>

#include "tcp/loop.h"

namespace dinette::tcp::events_test {
namespace {

constexpr auto never = base::EventLoop::Watch::Deadline::max();

/// Two sockets that are connected to each other.
struct Pair {
  Pair() { REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()) == 0); }
  ~Pair() {
    for (const int end : ends) close(end);
  }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  void write() const { REQUIRE(::write(ends[1], "x", 1) == 1); }

  std::array<int, 2> ends{};
};

/// A loop that this thread runs until finish().
struct Fixture {
  Shared shared;
  Loop loop{shared};

  /// Calls `begin` on the loop's thread with the loop, and runs the loop to its end.
  void run(const std::function<void(base::EventLoop&)>& begin) {
    boost::asio::post(loop.context(), [&] { begin(*base::event_loop()); });
    loop.run();
  }
};

}  // namespace

TEST_CASE("a thread has an event loop while it runs one") {
  Fixture fixture;
  CHECK(base::event_loop() == nullptr);
  fixture.run([&](base::EventLoop&) { fixture.loop.finish(); });
  CHECK(base::event_loop() == nullptr);
}

TEST_CASE("a wait for a socket ends when it can be read, each time") {
  Fixture fixture;
  Pair pair;
  std::vector<bool> ended;
  std::unique_ptr<base::EventLoop::Watch> watch;
  fixture.run([&](base::EventLoop& events) {
    watch = events.watch(pair.ends[0]);
    watch->wait(false, never, [&](bool ready) {
      ended.push_back(ready);
      // What was not read yet is still there.
      watch->wait(false, never, [&](bool again) {
        ended.push_back(again);
        fixture.loop.finish();
      });
    });
    pair.write();
  });
  watch.reset();
  CHECK(ended == std::vector{true, true});
}

TEST_CASE("a wait for a socket ends when it can be written, if it is to") {
  Fixture fixture;
  Pair pair;
  std::optional<bool> ended;
  std::unique_ptr<base::EventLoop::Watch> watch;
  fixture.run([&](base::EventLoop& events) {
    watch = events.watch(pair.ends[0]);
    watch->wait(true, never, [&](bool ready) {
      ended = ready;
      fixture.loop.finish();
    });
  });
  watch.reset();
  CHECK(ended == true);
}

TEST_CASE("a wait for a socket ends at its deadline") {
  Fixture fixture;
  Pair pair;
  std::optional<bool> ended;
  std::unique_ptr<base::EventLoop::Watch> watch;
  fixture.run([&](base::EventLoop& events) {
    watch = events.watch(pair.ends[0]);
    watch->wait(false, std::chrono::steady_clock::now(), [&](bool ready) {
      ended = ready;
      fixture.loop.finish();
    });
  });
  watch.reset();
  CHECK(ended == false);
}

TEST_CASE("waits for sockets end with their loop, and those that begin later at once") {
  Fixture fixture;
  Pair pair;
  std::vector<bool> ended;
  std::unique_ptr<base::EventLoop::Watch> watch;
  fixture.run([&](base::EventLoop& events) {
    watch = events.watch(pair.ends[0]);
    watch->wait(false, never, [&](bool ready) {
      ended.push_back(ready);
      watch->wait(false, never, [&](bool again) { ended.push_back(again); });
    });
    fixture.loop.finish();
  });
  watch.reset();
  CHECK(ended == std::vector{false, false});
}

TEST_CASE("a wait that was replaced calls nothing, nor does one whose watch is gone") {
  Fixture fixture;
  Pair pair;
  std::vector<int> ended;
  std::unique_ptr<base::EventLoop::Watch> watch;
  fixture.run([&](base::EventLoop& events) {
    auto gone = events.watch(pair.ends[1]);
    gone->wait(true, never, [&](bool) { ended.push_back(1); });
    gone.reset();
    watch = events.watch(pair.ends[0]);
    watch->wait(true, never, [&](bool) { ended.push_back(2); });
    watch->wait(false, never, [&](bool) {
      ended.push_back(3);
      events.later([&] { fixture.loop.finish(); });
    });
    pair.write();
  });
  watch.reset();
  CHECK(ended == std::vector{3});
}

TEST_CASE("a socket is still open after it was watched") {
  Fixture fixture;
  Pair pair;
  fixture.run([&](base::EventLoop& events) {
    events.watch(pair.ends[1]).reset();
    fixture.loop.finish();
  });
  pair.write();
}

}  // namespace dinette::tcp::events_test
