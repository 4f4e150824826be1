#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

namespace dinette::net {

using SteadyTime = std::chrono::steady_clock::time_point;

/// One client, as its loop sees it. Lives on the loop's thread: all members are called there.
class Connection {
 public:
  Connection() = default;
  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  virtual void start() = 0;
  /// Enforces the deadlines.
  virtual void sweep(SteadyTime now) = 0;
  /// Closes if no request is here; else the reply under way is the last one.
  virtual void drain() = 0;
  /// Closes at once.
  virtual void cut() = 0;

  /// Place in the loop's list; the loop's to use.
  std::size_t slot = 0;
};

}  // namespace dinette::net
