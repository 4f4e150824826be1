#include "lambda/mappings/mapping_status.h"

#include <utility>

#include "lambda/request/context.h"

namespace dinette::lambda {

MappingStatuses& MappingStatuses::of(tenancy::World& world) {
  const auto make = []() -> std::unique_ptr<tenancy::FaceState> {
    return std::make_unique<MappingStatuses>();
  };
  return static_cast<MappingStatuses&>(world.state(face_id, make));
}

MappingStatuses::Status MappingStatuses::read(std::string_view uuid) const {
  const std::lock_guard guard(mutex_);
  const auto found = statuses_.find(uuid);
  return found == statuses_.end() ? Status() : found->second;
}

void MappingStatuses::add(std::string_view uuid, const TriggerCounts& counts) {
  const std::lock_guard guard(mutex_);
  TriggerCounts& sum = statuses_[std::string(uuid)].counts;
  sum.records += counts.records;
  sum.calls += counts.calls;
  sum.failures += counts.failures;
  sum.discarded += counts.discarded;
}

void MappingStatuses::set_reason(std::string_view uuid, std::string reason) {
  const std::lock_guard guard(mutex_);
  statuses_[std::string(uuid)].reason = std::move(reason);
}

void MappingStatuses::forget(std::string_view uuid) {
  const std::lock_guard guard(mutex_);
  if (const auto found = statuses_.find(uuid); found != statuses_.end()) statuses_.erase(found);
}

}  // namespace dinette::lambda
