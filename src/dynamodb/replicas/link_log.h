#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dinette/deliveries/stream_source.h"
#include "dinette/dynamodb/replication.h"
#include "dinette/store/store.h"

#include "dynamodb/api/link_progress.h"
#include "dynamodb/tasks/kept_entry.h"

/// The changes of a replica, in one log for all other regions, and how far each of them has come. A change is
/// removed when all have it.
namespace dinette::dynamodb {

template <>
struct KeptEntry<api::LinkProgress> {
  static constexpr store::SpaceId space{20};
  static constexpr std::string_view name = "the progress of replication";
  static std::string key(const api::LinkProgress& progress);
  static bool is_whole(const api::LinkProgress& progress) { return !progress.region.empty(); }
};

/// A log as the replica in one other region gets it.
struct LinkEnds {
  store::StreamId log;
  std::string from;  ///< regions
  std::string to;
};

/// Returns how far a link has come; at the beginning of the log if it has not begun.
kv::Result<api::LinkProgress> read_progress(const store::Store& store, const LinkEnds& ends);

/// Reads a log as one shard, without what is still on its way to the other region.
class LinkLog final : public deliveries::StreamSource {
 public:
  static constexpr std::string_view shard = "log";

  /// `world` and `store`, that of the replica, must outlive it.
  LinkLog(tenancy::World& world, store::Store& store, LinkEnds ends, ReplicationLag lag)
      : world_(world), store_(store), ends_(std::move(ends)), lag_(lag) {}

  kv::Result<std::optional<std::vector<deliveries::Shard>>> shards() override;
  kv::Result<std::string> place_of(const std::string& shard, deliveries::StartingPosition position,
                                   base::TimePoint moment) override;
  kv::Result<deliveries::RecordPage> read(const std::string& shard, const std::string& after,
                                          std::size_t most, std::size_t most_bytes) override;

  /// Returns when the change arrives that the last read() ended before; nothing if there was none.
  std::optional<base::TimePoint> next_arrival() const { return next_arrival_; }

 private:
  base::TimePoint arrival_of(store::StreamPosition position, base::TimePoint written) const;

  tenancy::World& world_;
  store::Store& store_;
  const LinkEnds ends_;
  const ReplicationLag lag_;
  std::optional<base::TimePoint> next_arrival_;
};

/// What is in a log after a place.
struct PendingChanges {
  std::uint64_t count = 0;
  std::optional<base::TimePoint> oldest;
};
kv::Result<PendingChanges> changes_after(const store::View& view, store::StreamId log,
                                         std::string_view after);

/// Removes the changes up to a place, which all regions have.
kv::Result<void> trim_log(store::Store& store, store::StreamId log, std::string_view up_to);

}  // namespace dinette::dynamodb
