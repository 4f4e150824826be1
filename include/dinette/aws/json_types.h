#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"

namespace dinette::aws {

/// A time in the form of AWS JSON: epoch seconds with a fraction of milliseconds.
struct Timestamp {
  std::int64_t milliseconds = 0;

  constexpr Timestamp() = default;
  constexpr explicit Timestamp(std::int64_t since_1970) : milliseconds(since_1970) {}
  /// Drops the fraction of a millisecond.
  constexpr Timestamp(base::TimePoint time)
      : milliseconds(std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count()) {}

  constexpr base::TimePoint time() const { return base::TimePoint(std::chrono::milliseconds(milliseconds)); }
  /// Drops the fraction of a second.
  constexpr Timestamp whole_seconds() const {
    return base::TimePoint(std::chrono::floor<std::chrono::seconds>(time()));
  }

  friend constexpr auto operator<=>(const Timestamp&, const Timestamp&) = default;
  friend constexpr Timestamp operator+(Timestamp time, std::chrono::milliseconds later) {
    return Timestamp(time.milliseconds + later.count());
  }
  friend constexpr Timestamp operator-(Timestamp time, std::chrono::milliseconds earlier) {
    return Timestamp(time.milliseconds - earlier.count());
  }
  friend constexpr std::chrono::milliseconds operator-(Timestamp later, Timestamp earlier) {
    return std::chrono::milliseconds(later.milliseconds - earlier.milliseconds);
  }
};

/// Bytes, which JSON has in base64.
struct Blob {
  std::string bytes;

  bool operator==(const Blob&) const = default;
};

/// Members of a map in the order of the text.
template <class Value>
using Entries = std::vector<std::pair<std::string, Value>>;

}  // namespace dinette::aws
