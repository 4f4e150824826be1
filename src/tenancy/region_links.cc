#include "dinette/tenancy/region_links.h"

#include <mutex>

namespace dinette::tenancy {

void RegionLinks::replace(RegionSetting setting) {
  const std::unique_lock guard(mutex_);
  setting_ = std::move(setting);
  any_ = !setting_.cut.empty() || !setting_.skews.empty();
}

RegionSetting RegionLinks::setting() const {
  const std::shared_lock guard(mutex_);
  return setting_;
}

bool RegionLinks::is_cut(std::string_view from, std::string_view to) const {
  if (!any_.load(std::memory_order_relaxed)) return false;
  const std::shared_lock guard(mutex_);
  return setting_.cut.contains(RegionLink{std::string(from), std::string(to)});
}

std::chrono::microseconds RegionLinks::skew_of(std::string_view region) const {
  if (!any_.load(std::memory_order_relaxed)) return {};
  const std::shared_lock guard(mutex_);
  const auto found = setting_.skews.find(region);
  return found == setting_.skews.end() ? std::chrono::microseconds(0) : found->second;
}

}  // namespace dinette::tenancy
