#pragma once

#include <mutex>
#include <string>

#include "dinette/deliveries/delivery.h"
#include "dinette/kv/error.h"

#include "lambda/api/mapping_progress.h"
#include "lambda/mappings/kept_mappings.h"

namespace dinette::lambda {

/// How far the parts of a shard have come that are delivered side by side. Thread-safe.
class ShardProgress {
 public:
  /// `kept`: what is stored, perhaps for another number of parts. `store` must outlive it.
  ShardProgress(store::Store& store, api::MappingProgress kept, unsigned parts);

  /// Returns where a part begins.
  deliveries::Progress of(unsigned part) const;
  /// Returns true for a record that was delivered when there was another number of parts.
  bool is_done(const deliveries::Record& record) const;

  kv::Result<void> keep(unsigned part, const deliveries::Progress& progress);
  /// Notes that a part has come to the end of the shard. After all parts, the shard is done.
  kv::Result<void> close();

 private:
  KeptMappings mappings_;
  mutable std::mutex mutex_;       ///< also held while it is stored, so that the newest is stored last
  api::MappingProgress progress_;  ///< guarded by mutex_
  std::size_t open_parts_;         ///< guarded by mutex_
};

}  // namespace dinette::lambda
