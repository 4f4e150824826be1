#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>

#include "dinette/base/event_loop.h"

namespace dinette::test {

/// An event loop by poll(2), without time: its waits end when a socket is ready, or by end_waits().
class PollLoop final : public base::EventLoop {
 public:
  /// Runs `test` on a thread of its own, whose loop it is, so that what belongs to the thread ends with it.
  /// Throws what it throws.
  static void run(const std::function<void(PollLoop&)>& test) {
    std::exception_ptr failure;
    std::thread([&] {
      PollLoop loop;
      const base::EventLoopScope scope(loop);
      try {
        test(loop);
      } catch (...) {
        failure = std::current_exception();
      }
    }).join();
    if (failure) std::rethrow_exception(failure);
  }

  void later(std::function<void()> action) override { actions_.push_back(std::move(action)); }
  std::unique_ptr<Watch> watch(int socket) override { return std::make_unique<Waiting>(*this, socket); }

  /// How much is to be done now.
  std::size_t actions() const { return actions_.size(); }
  /// Does what is to be done, until `done`.
  void run_until(const bool& done) {
    while (!done) turn();
  }
  /// Does what is to be done now.
  void run_actions() {
    for (const auto& action : std::exchange(actions_, {})) action();
  }
  /// Ends all waits as if their deadlines had come.
  void end_waits() {
    for (Waiting* const one : std::vector(waiting_)) one->finish(false);
  }

 private:
  struct Waiting final : Watch {
    Waiting(PollLoop& its_loop, int its_socket) : loop(its_loop), socket(its_socket) {
      loop.waiting_.push_back(this);
    }
    ~Waiting() override { std::erase(loop.waiting_, this); }
    void wait(bool to_write, Deadline /*deadline*/, std::function<void(bool ready)> its_action) override {
      events = to_write ? POLLIN | POLLOUT : POLLIN;
      action = std::move(its_action);
    }
    void finish(bool ready) {
      if (const auto called = std::exchange(action, nullptr)) called(ready);
    }

    PollLoop& loop;
    const int socket;
    short events = 0;
    std::function<void(bool ready)> action;
  };

  void turn() {
    run_actions();
    std::vector<pollfd> sockets;
    for (const Waiting* const one : waiting_)
      sockets.push_back({one->socket, one->action ? one->events : short{0}, 0});
    poll(sockets.data(), sockets.size(), actions_.empty() ? -1 : 0);
    const std::vector<Waiting*> asked(waiting_);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const bool lives = std::ranges::find(waiting_, asked[i]) != waiting_.end();
      if (lives && sockets[i].revents != 0) asked[i]->finish(true);
    }
  }

  std::vector<std::function<void()>> actions_;
  std::vector<Waiting*> waiting_;
};

}  // namespace dinette::test
