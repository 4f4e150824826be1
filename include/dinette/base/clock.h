#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace dinette::base {

/// A moment of the calendar, to the microsecond.
using TimePoint = std::chrono::sys_time<std::chrono::microseconds>;

/// Where the server takes the time of day from: creation times, expiry, signatures. Deadlines of waiting
/// threads are not its business; they run on std::chrono::steady_clock. Every member may be called from
/// several threads at once.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  virtual TimePoint now() const = 0;

  /// Returns in how much real time it will read `moment`: zero if it does, nothing while it stands still.
  virtual std::optional<std::chrono::microseconds> until(TimePoint moment) const = 0;
};

/// The machine's clock.
class SystemClock final : public Clock {
 public:
  TimePoint now() const override;
  std::optional<std::chrono::microseconds> until(TimePoint moment) const override;
};

/// Stands still until it is told otherwise, so that a test can choose the second.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(TimePoint start = TimePoint{}) : microseconds_(start.time_since_epoch().count()) {}

  TimePoint now() const override;
  std::optional<std::chrono::microseconds> until(TimePoint moment) const override;
  void set(TimePoint moment);
  void advance(std::chrono::microseconds step);

 private:
  std::atomic<std::int64_t> microseconds_;
};

}  // namespace dinette::base
