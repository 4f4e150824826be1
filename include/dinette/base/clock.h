#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <shared_mutex>

namespace dinette::base {

/// A calendar time, to the microsecond.
using TimePoint = std::chrono::sys_time<std::chrono::microseconds>;

/// The range of times that a clock can be set to: years 1970 to 9999.
inline constexpr TimePoint earliest_time{};
inline constexpr TimePoint latest_time =
    std::chrono::sys_days(std::chrono::year(10'000) / 1 / 1) - std::chrono::microseconds(1);

/// The source of calendar time: for creation times, expiry, signatures. Deadlines of waiting threads use
/// std::chrono::steady_clock instead. Thread-safe.
class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  virtual TimePoint now() const = 0;

  /// Returns the real time until the clock reads `moment`: zero if it already does, nothing if it is
  /// stopped.
  virtual std::optional<std::chrono::microseconds> until(TimePoint moment) const = 0;
};

/// The system's clock.
class SystemClock final : public Clock {
 public:
  TimePoint now() const override;
  std::optional<std::chrono::microseconds> until(TimePoint moment) const override;
};

/// A clock that moves only by set() and advance(), for tests.
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

/// How an AdjustableClock follows its source. The default shows the same time.
struct ClockSetting {
  TimePoint source{};   ///< when the source reads this,
  TimePoint shown{};    ///< the clock reads this,
  double rate = 1;      ///< and runs this many times as fast; greater than zero
  bool frozen = false;  ///< unless it is stopped

  bool operator==(const ClockSetting&) const = default;
};

/// A clock that follows another one, from which it can be moved away. It never shows more than latest_time.
class AdjustableClock final : public Clock {
 public:
  /// `source` must outlive the clock.
  explicit AdjustableClock(const Clock& source, ClockSetting setting = {});

  TimePoint now() const override;
  std::optional<std::chrono::microseconds> until(TimePoint moment) const override;

  ClockSetting setting() const;
  void set(const ClockSetting& setting);
  /// Sets the clock to `moment`, from which it runs at the given rate, or where it is stopped.
  void set(TimePoint moment, double rate, bool frozen);

 private:
  const Clock& source_;
  std::atomic<bool> adjusted_;  ///< false: the setting is the default, and need not be read
  mutable std::shared_mutex mutex_;
  ClockSetting setting_;  ///< guarded by mutex_
};

}  // namespace dinette::base
