#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "dinette/net/server.h"

#include "net/client.h"

namespace dinette::net {

/// Steady time that a test moves. Copies share it.
class TestTime {
 public:
  std::chrono::steady_clock::time_point operator()() const {
    return std::chrono::steady_clock::time_point(*now_);
  }
  void advance(std::chrono::milliseconds step) { *now_ += step; }

 private:
  struct Moment : std::atomic<std::chrono::nanoseconds> {
    using std::atomic<std::chrono::nanoseconds>::atomic;
    void operator+=(std::chrono::nanoseconds step) { store(load() + step); }
  };
  std::shared_ptr<Moment> now_ = std::make_shared<Moment>(std::chrono::hours(1));
};

/// Runs `step` until `done`; what never comes fails the test.
template <class Done, class Step>
void until(Done done, Step step) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kPatienceSeconds);
  while (!done()) {
    REQUIRE(std::chrono::steady_clock::now() < end);
    step();
    std::this_thread::yield();
  }
}

/// A handler that tells what it was asked: "POST /x body".
inline void echo(const HttpRequest& request, HttpReply& reply) {
  reply.content_type = "text/plain";
  reply.body.append(request.method).append(" ").append(request.target).append(" ").append(request.body);
}

/// A started server on a port of its own.
struct Running {
  explicit Running(Handler handler = &echo, ServerOptions options = {})
      : server(with_time(std::move(options), time), std::move(handler)) {
    const auto started = server.start();
    if (!started) FAIL(started.error());
    port = *started;
  }

  static ServerOptions with_time(ServerOptions options, const TestTime& time) {
    options.steady_now = time;
    if (options.threads == 0) options.threads = 2;
    return options;
  }

  TestTime time;
  Server server;
  std::uint16_t port = 0;
};

inline std::string post(std::string_view body, std::string_view headers = "") {
  std::string bytes = "POST / HTTP/1.1\r\nHost: localhost\r\n";
  bytes.append(headers).append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  return bytes.append(body);
}

}  // namespace dinette::net
