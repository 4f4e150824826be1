#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"

namespace dinette::tablestore::search {

/// Into how many parts each search index can be scanned.
inline constexpr std::int32_t most_parallel_scans = 1;

/// What clients hold of a scan: the id of its session, and, once it has begun, where it goes on. Nothing else
/// is kept of it.
struct ScanSession {
  base::TimePoint used;               ///< by the request before
  std::chrono::seconds lifetime{60};  ///< after that
  std::string last_row = {};          ///< that was returned; empty: none yet

  bool expired(base::TimePoint now) const { return used < now - lifetime; }
  std::string encode() const;
  /// Returns nothing for what is none.
  static std::optional<ScanSession> decode(std::string_view text);
};

}  // namespace dinette::tablestore::search
