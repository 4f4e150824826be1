#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>

namespace dinette::tenancy {

/// The way from one region to another.
struct RegionLink {
  std::string from;
  std::string to;

  friend auto operator<=>(const RegionLink&, const RegionLink&) = default;
};

/// What a test makes of the network and the clocks of the regions.
struct RegionSetting {
  std::set<RegionLink> cut;  ///< links that carry nothing
  /// By how much the clock of a region is ahead of the world's; those that are right are missing.
  std::map<std::string, std::chrono::microseconds, std::less<>> skews;

  friend bool operator==(const RegionSetting&, const RegionSetting&) = default;
};

/// How the regions of one world reach each other, and what their clocks show. A fork begins with all links
/// whole and all clocks right, and so does a restart unless several servers share the engine. Thread-safe.
class RegionLinks {
 public:
  RegionLinks() = default;
  RegionLinks(const RegionLinks&) = delete;
  RegionLinks& operator=(const RegionLinks&) = delete;

  void replace(RegionSetting setting);
  RegionSetting setting() const;

  bool is_cut(std::string_view from, std::string_view to) const;
  /// One relaxed load while all clocks are right.
  std::chrono::microseconds skew_of(std::string_view region) const;

 private:
  mutable std::shared_mutex mutex_;
  RegionSetting setting_;         ///< guarded by mutex_
  std::atomic<bool> any_{false};  ///< something is set; changes under mutex_
};

}  // namespace dinette::tenancy
