#include "tenancy/dropped_names.h"

#include <iterator>

namespace dinette::tenancy {

void DroppedNames::add(std::string_view name, base::TimePoint when) {
  remove(name);
  if (names_.size() == most_) remove(names_.front().text);
  names_.push_back({std::string(name), when});
  where_.emplace(names_.back().text, std::prev(names_.end()));
}

void DroppedNames::remove(std::string_view name) {
  const auto found = where_.find(name);
  if (found == where_.end()) return;
  const auto one = found->second;
  where_.erase(found);
  names_.erase(one);
}

void DroppedNames::clear() {
  where_.clear();
  names_.clear();
}

std::optional<base::TimePoint> DroppedNames::find(std::string_view name) const {
  const auto found = where_.find(name);
  if (found == where_.end()) return std::nullopt;
  return found->second->when;
}

}  // namespace dinette::tenancy
