#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "dinette/kv/error.h"
#include "dinette/store/store.h"

#include "lambda/api/trigger_record.h"

namespace dinette::lambda {

/// The triggers of one name space, as the administration made them: entries of no table (FORMAT.md).
/// Thread-safe.
class KeptTriggers {
 public:
  /// `store` must outlive it.
  explicit KeptTriggers(store::Store& store) : store_(store) {}

  /// Returns all, oldest first.
  kv::Result<std::vector<api::TriggerRecord>> all() const;
  kv::Result<std::optional<api::TriggerRecord>> find(std::string_view name) const;
  /// Adds a trigger, or replaces the one of its name.
  kv::Result<void> put(const api::TriggerRecord& trigger);
  kv::Result<void> remove(std::string_view name);

 private:
  store::Store& store_;
};

// For those who read entries themselves. The space is kept on disk (FORMAT.md): never renumber.

inline constexpr store::SpaceId triggers_space{4};

kv::Result<api::TriggerRecord> decode_trigger(std::string_view entry);

}  // namespace dinette::lambda
