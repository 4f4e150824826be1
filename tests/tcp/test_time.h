#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include <catch2/catch.hpp>

#include "tcp/socket.h"

namespace dinette::tcp {

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

/// Runs `step` until `done`. Fails the test if that never happens.
template <class Done, class Step>
void until(Done done, Step step) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(patience_seconds);
  while (!done()) {
    REQUIRE(std::chrono::steady_clock::now() < end);
    step();
    std::this_thread::yield();
  }
}

template <class Done>
void until(Done done) {
  until(done, [] {});
}

}  // namespace dinette::tcp
