#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "dinette/base/clock.h"

namespace dinette::dynamodb::throttling {

/// Capacity that refills with time up to a size: the burst credit of a table, or one second's worth of a
/// partition. Counts in millionths of capacity units, so that it is exact to the tick of the clock however
/// often it is looked at. A clock that is set back neither adds nor takes anything.
class TokenBucket {
 public:
  /// Creates a full bucket. `rate` is in units per second, `size` in units; at most 2^40 each.
  TokenBucket(std::int64_t rate, std::int64_t size, base::TimePoint now)
      : rate_(rate), size_(size * scale), balance_(size_), last_(now) {}

  /// Adds what has come since the last call.
  void refill(base::TimePoint now) {
    const std::int64_t passed = (now - last_).count();
    last_ = now;
    if (passed <= 0) return;
    const std::int64_t missing = size_ - balance_;
    // Otherwise the product might be more than 64 bits can hold.
    const bool fills = rate_ > 0 && passed >= (missing + rate_ - 1) / rate_;
    balance_ = fills ? size_ : balance_ + rate_ * passed;
  }

  /// Refills at the new rate from now on. What is over the new size is lost.
  void change(std::int64_t rate, std::int64_t size) {
    rate_ = rate;
    size_ = size * scale;
    balance_ = std::min(balance_, size_);
  }

  bool has(double units) const { return balance_ >= scaled(units); }
  bool full() const { return balance_ == size_; }
  std::int64_t rate() const { return rate_; }
  base::TimePoint last() const { return last_; }

  /// Takes as much as there is, and leaves no debt.
  void take(double units) { balance_ = std::max<std::int64_t>(0, balance_ - scaled(units)); }

 private:
  static constexpr std::int64_t scale = std::chrono::microseconds(std::chrono::seconds(1)).count();
  static_assert(std::is_same_v<base::TimePoint::duration, std::chrono::microseconds>);

  static std::int64_t scaled(double units) {
    return static_cast<std::int64_t>(units * static_cast<double>(scale));
  }

  std::int64_t rate_;
  std::int64_t size_;
  std::int64_t balance_;  ///< from 0 to size_
  base::TimePoint last_;
};

}  // namespace dinette::dynamodb::throttling
