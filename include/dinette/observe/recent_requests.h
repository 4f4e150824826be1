#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/observe/recent_request.h"
#include "dinette/observe/request_rings.h"

namespace dinette::observe {

/// The requests that were answered last. Some are always kept, with the beginnings of their bodies, so that
/// a reader sees what happened before. While there are readers, and for a minute after the last one,
/// more is recorded of more requests. Both take bounded memory. Thread-safe.
class RecentRequests {
 public:
  /// The number that is always kept by default.
  static constexpr std::size_t usually_kept = 200;
  /// What is kept while there are readers.
  static constexpr std::size_t most_kept = 1000;
  static constexpr std::size_t most_bytes_kept = 16 * 1024 * 1024;
  static constexpr std::chrono::seconds patience{60};
  /// Maximum number of waiting readers; others get their response immediately.
  static constexpr int most_waiting = 4;

  struct Question {
    std::uint64_t after = 0;            ///< the number of the last request that the reader knows
    std::size_t limit = most_kept;      ///< the oldest ones first
    std::chrono::milliseconds wait{0};  ///< real time to wait if there is none yet
    std::optional<std::string> world = {};
  };
  struct Page {
    std::vector<std::shared_ptr<const RecentRequest>> requests;
    std::uint64_t last = 0;    ///< the number to continue after
    std::uint64_t missed = 0;  ///< requests after Question::after that are gone, of all worlds
  };

  using Steady = std::chrono::steady_clock;

  /// `kept`: how many requests are kept without readers, at most most_kept; 0: none. `now`: the clock for
  /// `patience`; tests replace it.
  explicit RecentRequests(std::size_t kept = usually_kept,
                          std::function<Steady::time_point()> now = &Steady::now)
      : now_(std::move(now)), rings_(kept) {}
  RecentRequests(const RecentRequests&) = delete;
  RecentRequests& operator=(const RecentRequests&) = delete;

  /// Returns true if there are readers, or were lately: all details are wanted. One relaxed load.
  bool recording() const { return recording_.load(std::memory_order_relaxed); }
  /// Returns true if requests are to be added.
  bool keeping() const { return rings_.capacity() > 0 || recording(); }

  /// Adds a request. Without readers, this costs little more than the copy of its texts.
  void add(const AnsweredRequest& answered);
  /// Adds a request as it is, and gives it its number, as if there were a reader.
  void add(RecentRequest request);

  /// Returns requests, oldest first, and turns recording on. Must not be called on event loops if it waits.
  Page read(const Question& question);

  /// Makes read() return without waiting, for the end of the server.
  void end_waits();

 private:
  Page page_of(const Question& question) const;
  void take_from_rings();
  void keep(RecentRequest request);
  void stop_recording_without_readers();
  void forget_what_is_too_much();

  const std::function<Steady::time_point()> now_;
  RequestRings rings_;
  std::atomic<bool> recording_ = false;  ///< changes under mutex_
  mutable std::mutex mutex_;
  std::condition_variable added_;
  std::deque<std::shared_ptr<const RecentRequest>> kept_;  ///< guarded by mutex_, as is all below
  std::size_t bytes_ = 0;                                  ///< of kept_
  std::uint64_t last_ = 0;
  Steady::time_point asked_ = {};  ///< the last time
  int waiting_ = 0;
  bool ending_ = false;
};

}  // namespace dinette::observe
