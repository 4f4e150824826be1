#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <memory>
#include <optional>

namespace dinette::tcp {

using SteadyTime = std::chrono::steady_clock::time_point;

/// How long a connection has been idle. If the server is full, the least ones are closed first.
struct Idle {
  bool used;         ///< a request was answered
  SteadyTime since;  ///< when the wait began

  auto operator<=>(const Idle&) const = default;
};

/// One client, as its loop sees it. All members are called on the loop's thread.
class Connection {
 public:
  Connection() = default;
  virtual ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  virtual void start() = 0;
  /// Enforces the deadlines.
  virtual void sweep(SteadyTime now) = 0;
  /// Closes if there is no request; otherwise the current response is the last.
  virtual void drain() = 0;
  /// Closes immediately.
  virtual void cut() = 0;
  /// Returns nothing if a request is in progress.
  virtual std::optional<Idle> idle() const = 0;
  /// Returns the bytes of request and response kept while waiting for the client; 0 if they are few.
  virtual std::size_t held() const = 0;
  /// Ends the connection to release its memory.
  virtual void give_way() = 0;

  /// The index in the loop's list, maintained by the loop.
  std::size_t slot = 0;
};

}  // namespace dinette::tcp
