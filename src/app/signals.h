#pragma once

#include <csignal>

namespace dinette::app {

/// Blocks SIGTERM and SIGINT in every thread that is started during its lifetime, so that they can be waited
/// for. Afterwards they have their previous effect, so that a second Ctrl-C ends a program that is still
/// draining.
class EndSignals {
 public:
  EndSignals() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGTERM);
    sigaddset(&signals_, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals_, &before_);
  }
  ~EndSignals() { restore(); }
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;

  /// Returns true if one of them has arrived and was not waited for.
  bool arrived() const {
    sigset_t pending{};
    sigpending(&pending);
    return sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1;
  }

  /// Returns when one of them has arrived.
  void wait() {
    int received = 0;
    sigwait(&signals_, &received);
    restore();
  }

 private:
  void restore() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  sigset_t signals_{};
  sigset_t before_{};
};

}  // namespace dinette::app
