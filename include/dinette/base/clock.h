#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace dinette::base {

/// A calendar time, to the microsecond.
using TimePoint = std::chrono::sys_time<std::chrono::microseconds>;

/// The source of calendar time: for creation times, expiry, signatures. Deadlines of waiting threads use
/// std::chrono::steady_clock instead. Thread-safe.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  virtual TimePoint now() const = 0;

  /// Returns the real time until the clock reads `moment`: zero if it already does, nothing if it stands
  /// still.
  virtual std::optional<std::chrono::microseconds> until(TimePoint moment) const = 0;
};

/// The system's clock.
class SystemClock final : public Clock {
 public:
  TimePoint now() const override;
  std::optional<std::chrono::microseconds> until(TimePoint moment) const override;
};

/// A clock that moves only when it is told to, for tests.
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
