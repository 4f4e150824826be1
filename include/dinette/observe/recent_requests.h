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
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/observe/request_details.h"

namespace dinette::observe {

/// The beginning of a body.
struct BodyText {
  static constexpr std::size_t most_bytes = 16 * 1024;

  std::string text = {};
  std::size_t bytes = 0;  ///< of the whole body

  static BodyText of(std::string_view body);
  bool cut() const { return text.size() < bytes; }
};

/// A request that has been answered.
struct RecentRequest {
  std::uint64_t number = 0;  ///< counts from 1 in the order of the responses
  base::TimePoint time = {};
  std::string id = {};
  std::string operation = {};  ///< empty if it names none
  int status = 0;
  std::string error = {};  ///< its type; empty: success
  std::chrono::microseconds duration{};
  RequestDetails details = {};
  BodyText request = {};
  BodyText response = {};
  std::string explanation = {};  ///< JSON; empty: none
  std::string trace = {};        ///< the trace id, if the request belongs to a trace
};

/// The requests that were answered last. They are kept only if there was a reader within the last minute, and
/// only as many as fit into bounded memory. Thread-safe.
class RecentRequests {
 public:
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

  /// `now`: the clock for `patience`; tests replace it.
  explicit RecentRequests(std::function<Steady::time_point()> now = &Steady::now) : now_(std::move(now)) {}
  RecentRequests(const RecentRequests&) = delete;
  RecentRequests& operator=(const RecentRequests&) = delete;

  /// Returns true if requests are to be added. One relaxed load.
  bool recording() const { return recording_.load(std::memory_order_relaxed); }

  /// Adds a request and gives it its number. Without readers, forgets all requests and stops recording.
  void add(RecentRequest request);

  /// Returns requests, oldest first, and turns recording on. Must not be called on event loops if it waits.
  Page read(const Question& question);

  /// Makes read() return without waiting, for the end of the server.
  void end_waits();

 private:
  Page page_of(const Question& question) const;
  void forget_oldest();

  const std::function<Steady::time_point()> now_;
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
