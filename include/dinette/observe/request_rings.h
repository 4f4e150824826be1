#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "dinette/observe/recent_request.h"

namespace dinette::observe {

/// Where threads leave the requests that they answer until they are read: copied into memory that is
/// there already, without formatting. Each thread has a ring of its own, unless there are more threads than
/// rings, so that none waits for another one. A ring overwrites its oldest requests. Thread-safe.
class RequestRings {
 public:
  static constexpr std::size_t most_body_bytes = 4 * 1024;  ///< of each body
  static constexpr std::size_t rings = 8;
  /// The memory of all rings together, by the number of requests, and the least of each one. A ring takes it
  /// when its first thread answers.
  static constexpr std::size_t bytes_per_request = 10 * 1024;
  static constexpr std::size_t least_bytes = 64 * 1024;

  /// A request without its time of day.
  struct Kept {
    std::chrono::steady_clock::time_point end;
    RecentRequest request;
  };
  struct Taken {
    std::vector<Kept> requests;  ///< in the order in which they ended
    std::uint64_t lost = 0;      ///< requests that were overwritten since the last take()
  };

  /// Each ring keeps as many as `requests`; 0: none.
  explicit RequestRings(std::size_t requests);
  RequestRings(const RequestRings&) = delete;
  RequestRings& operator=(const RequestRings&) = delete;
  ~RequestRings();

  /// Returns the number of requests to keep.
  std::size_t capacity() const { return requests_; }

  /// Keeps a request, without its explanation, and of its details world, tables, counts and what a fault did.
  /// Does nothing if there is no memory for the ring.
  void add(const AnsweredRequest& answered) noexcept;

  /// Empties the rings. Threads that answer wait for it, each while its ring is read.
  Taken take();

 private:
  class Ring;

  Ring& own_ring() const noexcept;

  const std::size_t requests_;
  std::unique_ptr<std::array<Ring, rings>> rings_;
};

}  // namespace dinette::observe
