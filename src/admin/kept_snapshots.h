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
#include "dinette/tenancy/worlds.h"

namespace dinette::admin {

/// Ids of snapshots begin with this, and no world's name does.
inline constexpr std::string_view snapshot_prefix = "snapshot-";

struct KeptSnapshot {
  std::string id;
  std::string world;  ///< the API's name of the world that it was taken of, which may be gone
  base::TimePoint created;
  tenancy::WorldImage image;  ///< list() may leave it out
};

using SnapshotPointer = std::shared_ptr<const KeptSnapshot>;

/// The snapshots that were taken and not deleted: of this process, or, if several servers share the worlds,
/// of all of them. Thread-safe.
class KeptSnapshots {
 public:
  static constexpr std::size_t most = 10'000;

  /// `worlds` must outlive it.
  explicit KeptSnapshots(tenancy::Worlds& worlds) : worlds_(worlds) {}

  /// Keeps a snapshot under a new id. Returns null if there are `most` already.
  kv::Result<SnapshotPointer> add(std::string_view world, base::TimePoint created, tenancy::WorldImage image);
  /// Returns null if there is none.
  kv::Result<SnapshotPointer> find(std::string_view id) const;
  /// Stops keeping a snapshot. Returns false if there is none.
  kv::Result<bool> remove(std::string_view id);
  /// Returns all, the oldest first.
  kv::Result<std::vector<SnapshotPointer>> list() const;

 private:
  using Number = std::uint64_t;

  kv::Result<SnapshotPointer> add_shared(std::string_view world, base::TimePoint created,
                                         tenancy::WorldImage image);
  kv::Result<SnapshotPointer> find_shared(Number number) const;
  kv::Result<std::vector<SnapshotPointer>> list_shared() const;

  tenancy::Worlds& worlds_;
  // Where the worlds keep no images.
  mutable std::mutex mutex_;
  Number last_ = 0;                         ///< guarded by mutex_
  std::map<Number, SnapshotPointer> kept_;  ///< by the number in the id; guarded by mutex_
};

}  // namespace dinette::admin
