#include "dynamodb/replicas/replication_lane.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "dinette/deliveries/delivery.h"
#include "dinette/deliveries/lanes.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/replicas/link_log.h"
#include "dynamodb/replicas/members.h"
#include "dynamodb/replicas/replication_target.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {
namespace {

using deliveries::Pause;

store::StreamId log_of(const api::TableReplication& replication) {
  return store::StreamId{static_cast<std::uint64_t>(*replication.log_id)};
}

/// Returns the pause after which both go on.
Pause sooner(Pause one, Pause other) {
  using Until = Pause::Until;
  // In this order, but for two of the same kind.
  static constexpr Until order[] = {Until::at_once,  Until::elapsed, Until::moment,
                                    Until::appended, Until::woken,   Until::done};
  const auto rank = [](const Pause& pause) { return std::ranges::find(order, pause.until) - order; };
  if (rank(one) != rank(other)) return rank(one) < rank(other) ? one : other;
  one.moment = std::min(one.moment, other.moment);
  one.time = std::min(one.time, other.time);
  return one;
}

/// Returns true for a member that gets changes: it has a table, which is not about to be deleted.
bool gets_changes(const api::ReplicaMember& member) {
  return !member.witness && (member.status != api::ReplicaStatus::deleting || member.kept);
}

/// The delivery of a log to one region.
class Link {
 public:
  Link(tenancy::World& world, store::Store& store, const LinkEnds& ends, const api::TableRecord& record,
       const Upkeep& upkeep, api::LinkProgress progress)
      : ends_(ends),
        store_(store),
        begun_(progress),
        progress_(std::move(progress)),
        log_(world, store, ends, upkeep.replication_lag),
        target_(world, ends.to, record, upkeep),
        delivery_({.source = log_,
                   .target = target_,
                   .clock = world.clock(),
                   .ids = store.ids(),
                   .part = {.shard = std::string(LinkLog::shard)},
                   .batches = ReplicationTarget::batches,
                   .keep = [this](const deliveries::Progress& done) { return keep(done.after); },
                   .progress = {.after = progress_.after}}) {}

  const std::string& to() const { return ends_.to; }
  const std::string& after() const { return progress_.after; }

  kv::Result<Pause> step(const std::stop_token& stop) {
    DINETTE_TRY(const Pause pause, delivery_.step(stop));
    const auto arrival = log_.next_arrival();
    return arrival ? sooner(pause, Pause::at(*arrival)) : pause;
  }

 private:
  kv::Result<void> keep(const std::string& after) {
    progress_.after = after;
    progress_.applied = begun_.applied + target_.applied();
    progress_.outdated = begun_.outdated + target_.outdated();
    return write_entry(store_, write_of(progress_));
  }

  const LinkEnds ends_;
  store::Store& store_;
  const api::LinkProgress begun_;
  api::LinkProgress progress_;
  LinkLog log_;
  ReplicationTarget target_;
  deliveries::Delivery delivery_;
};

class ReplicationLane final : public deliveries::Lane {
 public:
  ReplicationLane(tenancy::World& world, std::string region, api::TableRecord record, Upkeep upkeep)
      : world_(world),
        region_(std::move(region)),
        of_group_(std::move(record)),
        upkeep_(upkeep),
        store_(store_of(world, region_)) {}

  kv::Result<Pause> step(const std::stop_token& stop) override {
    DINETTE_TRY(const store::TablePointer table, open_replica(world_, region_, of_group_));
    if (!table) return Pause::done();
    const api::TableRecord& record = table->schema_as<TableSchema>().record();
    DINETTE_CHECK(follow(record));
    Pause pause{Pause::Until::appended};
    for (const auto& link : links_) {
      DINETTE_TRY(const Pause of_link, link->step(stop));
      pause = sooner(pause, of_link);
    }
    DINETTE_CHECK(trim(record));
    return pause;
  }

 private:
  /// Has one link per other replica.
  kv::Result<void> follow(const api::TableRecord& record) {
    std::erase_if(links_, [&](const auto& link) {
      const api::ReplicaMember* const member = find_member(record, link->to());
      return !member || !gets_changes(*member);
    });
    for (const api::ReplicaMember& member : record.replication->members) {
      const auto same = [&](const auto& link) { return link->to() == member.region; };
      if (!gets_changes(member) || std::ranges::any_of(links_, same)) continue;
      DINETTE_TRY(const store::TablePointer other, open_replica(world_, member.region, record));
      if (!other) continue;  // it is still to be made
      const LinkEnds ends{log_of(*record.replication), region_, member.region};
      DINETTE_TRY(api::LinkProgress progress, read_progress(*store_, ends));
      links_.push_back(std::make_unique<Link>(world_, *store_, ends, record, upkeep_, std::move(progress)));
    }
    return {};
  }

  kv::Result<void> trim(const api::TableRecord& record) {
    const auto replicas = std::ranges::count_if(record.replication->members, gets_changes);
    if (links_.empty() || static_cast<std::ptrdiff_t>(links_.size()) != replicas) return {};
    const auto least = std::ranges::min_element(links_, [](const auto& one, const auto& other) {
      return deliveries::is_before(one->after(), other->after());
    });
    if ((*least)->after() == trimmed_) return {};
    trimmed_ = (*least)->after();
    return trim_log(*store_, log_of(*record.replication), trimmed_);
  }

  tenancy::World& world_;
  const std::string region_;
  const api::TableRecord of_group_;
  const Upkeep upkeep_;
  const std::shared_ptr<store::Store> store_;
  std::vector<std::unique_ptr<Link>> links_;
  std::string trimmed_;  ///< the place up to which the log was trimmed last
};

}  // namespace

void replicate(tenancy::World& world, std::string_view region, const api::TableRecord& record,
               const Upkeep& upkeep) {
  if (!record.replication || !record.replication->log_id) return;
  world.lanes().add("replication of " + record.table_name + " from " + std::string(region) +
                        " in the group " + record.replication->group_id,
                    std::make_shared<ReplicationLane>(world, std::string(region), record, upkeep));
}

kv::Result<bool> is_delivered(const store::Store& store, const api::TableRecord& record,
                              std::string_view to) {
  if (!record.replication || !record.replication->log_id) return true;
  const LinkEnds ends{log_of(*record.replication), record.region, std::string(to)};
  DINETTE_TRY(const api::LinkProgress progress, read_progress(store, ends));
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(const PendingChanges pending, changes_after(view, ends.log, progress.after));
  return pending.count == 0;
}

}  // namespace dinette::dynamodb
