#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "dinette/lambda/delivery_log.h"
#include "dinette/lambda/triggers.h"
#include "dinette/tenancy/world.h"

namespace dinette::lambda {

/// What the mappings of a world have done since it was opened, in memory. Thread-safe.
class MappingStatuses final : public tenancy::FaceState {
 public:
  /// Returns those of a world.
  static MappingStatuses& of(tenancy::World& world);

  const std::shared_ptr<DeliveryLog>& log() const { return log_; }

  /// What is known of a mapping.
  struct Status {
    TriggerCounts counts = {};
    std::string reason = {};  ///< why it does not go on; empty: it does
  };
  Status read(std::string_view uuid) const;
  void add(std::string_view uuid, const TriggerCounts& counts);
  void set_reason(std::string_view uuid, std::string reason);
  void forget(std::string_view uuid);

 private:
  const std::shared_ptr<DeliveryLog> log_ = std::make_shared<DeliveryLog>();
  mutable std::mutex mutex_;
  std::map<std::string, Status, std::less<>> statuses_;  ///< guarded by mutex_
};

}  // namespace dinette::lambda
