#pragma once

#include <cstdint>
#include <vector>

#include "dinette/base/clock.h"

namespace dinette::dynamodb::throttling {

/// The usage of an on-demand table or index by minute: it grows for twice its highest load once
/// that is half an hour ago (docs/service/throttling.md section 3).
class UsageHistory {
 public:
  void add(double units, base::TimePoint now);

  /// Returns the highest one-minute average, in units per second, that is older than 30 minutes.
  double peak(base::TimePoint now);

  /// Returns true if no minute is left that could still become the peak.
  bool settled() const { return recent_.empty(); }

 private:
  struct Minute {
    std::int64_t minute;
    double units;
  };

  std::vector<Minute> recent_;  ///< at most half an hour of them, in the order in which they began
  double peak_ = 0;
};

}  // namespace dinette::dynamodb::throttling
