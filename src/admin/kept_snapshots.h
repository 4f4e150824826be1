#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/tenancy/world.h"

namespace dinette::admin {

/// Ids of snapshots begin with this, and no world's name does.
inline constexpr std::string_view snapshot_prefix = "snapshot-";

struct KeptSnapshot {
  std::string id;
  std::string world;  ///< the API's name of the world that it was taken of, which may be gone
  base::TimePoint created;
  tenancy::WorldImage image;
};

using SnapshotPointer = std::shared_ptr<const KeptSnapshot>;

/// The snapshots that were taken and not deleted. Thread-safe.
class KeptSnapshots {
 public:
  static constexpr std::size_t most = 10'000;

  /// Keeps a snapshot under a new id. Returns null if there are `most` already.
  SnapshotPointer add(std::string_view world, base::TimePoint created, tenancy::WorldImage image);
  /// Returns null if there is none.
  SnapshotPointer find(std::string_view id) const;
  /// Returns the snapshot, which is no longer kept; null if there is none.
  SnapshotPointer take(std::string_view id);
  /// Returns all, the oldest first.
  std::vector<SnapshotPointer> list() const;

 private:
  using Number = std::uint64_t;

  mutable std::mutex mutex_;
  Number last_ = 0;                         ///< guarded by mutex_
  std::map<Number, SnapshotPointer> kept_;  ///< by the number in the id; guarded by mutex_
};

}  // namespace dinette::admin
