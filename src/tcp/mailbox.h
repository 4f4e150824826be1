#pragma once

#include <mutex>
#include <utility>

#include "dinette/tcp/protocol.h"

namespace dinette::tcp {

/// Lets other threads reach a connection, which may close at any time.
class Mailbox {
 public:
  /// `deliver` is called by the threads that post, and not after close().
  explicit Mailbox(std::function<void(Action)> deliver) : deliver_(std::move(deliver)) {}

  /// Returns false if the connection is closed. Any thread.
  bool put(Action action) {
    const std::lock_guard lock(mutex_);
    if (!deliver_) return false;
    deliver_(std::move(action));
    return true;
  }

  void close() {
    const std::lock_guard lock(mutex_);
    deliver_ = nullptr;
  }

 private:
  std::mutex mutex_;
  std::function<void(Action)> deliver_;
};

}  // namespace dinette::tcp
