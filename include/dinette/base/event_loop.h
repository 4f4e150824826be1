#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "dinette/base/scoped_value.h"

namespace dinette::base {

/// The event loop that a thread runs, for code that would otherwise hold up the thread to wait for a socket.
/// All members are for the loop's thread, and so are the actions that it calls.
class EventLoop {
 public:
  /// Waits for a socket, which it does not own. Destroyed before the socket is closed, on the loop's thread;
  /// from then on nothing is called.
  class Watch {
   public:
    using Deadline = std::chrono::steady_clock::time_point;

    virtual ~Watch() = default;

    /// Calls `action` once: with true when the socket can be read, or also when it can be written if
    /// `to_write`; with false at the deadline, or when the loop ends. Replaces a wait that has not ended.
    virtual void wait(bool to_write, Deadline deadline, std::function<void(bool ready)> action) = 0;
  };

  virtual ~EventLoop() = default;

  /// Calls `action` after what has already happened has been dealt with.
  virtual void later(std::function<void()> action) = 0;
  virtual std::unique_ptr<Watch> watch(int socket) = 0;
};

namespace detail {
inline thread_local EventLoop* event_loop = nullptr;
}

/// Returns the loop of this thread, or null if it runs none.
inline EventLoop* event_loop() {
  return detail::event_loop;
}

/// Makes `loop` that of this thread for its lifetime.
class EventLoopScope : ScopedValue<EventLoop*> {
 public:
  explicit EventLoopScope(EventLoop& loop) : ScopedValue(detail::event_loop, &loop) {}
};

}  // namespace dinette::base
