#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <memory>
#include <optional>

namespace dinette::tcp {

using SteadyTime = std::chrono::steady_clock::time_point;

/// How long a connection has waited for a request: those that go first when there is no place left are less.
struct Idle {
  bool used;         ///< A request was answered.
  SteadyTime since;  ///< When the wait began.

  auto operator<=>(const Idle&) const = default;
};

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
  /// Nothing if a request is under way.
  virtual std::optional<Idle> idle() const = 0;
  /// Bytes of request and reply that are kept while the client is waited for; 0 if they are few.
  virtual std::size_t held() const = 0;
  /// Ends the connection for the memory that it holds.
  virtual void give_way() = 0;

  /// Place in the loop's list; the loop's to use.
  std::size_t slot = 0;
};

}  // namespace dinette::tcp
