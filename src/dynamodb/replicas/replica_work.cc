#include "dynamodb/replicas/replica_work.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "dinette/deliveries/lanes.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/replicas/members.h"
#include "dynamodb/replicas/new_replica.h"
#include "dynamodb/replicas/removed_replica.h"
#include "dynamodb/replicas/replication_lane.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

using api::ReplicaMember;
using api::ReplicaStatus;
using deliveries::Pause;

/// How often it looks whether the changes of a replica are everywhere, in real time.
constexpr std::chrono::milliseconds patience{20};

class ReplicaWork final : public deliveries::Lane {
 public:
  ReplicaWork(tenancy::World& world, std::string region, api::TableRecord record, Upkeep upkeep)
      : world_(world), region_(std::move(region)), of_group_(std::move(record)), upkeep_(upkeep) {}

  kv::Result<Pause> step(const std::stop_token& stop) override {
    for (;;) {
      if (stop.stop_requested()) return Pause{Pause::Until::woken};
      DINETTE_TRY(const store::TablePointer table, open_replica(world_, region_, of_group_));
      if (!table) return Pause::done();
      const api::TableRecord& record = table->schema_as<TableSchema>().record();
      const auto& members = record.replication->members;
      const auto driven = std::ranges::find_if(members, &ReplicaMember::driven);
      if (driven == members.end()) return Pause::done();
      DINETTE_TRY(const std::optional<Pause> pause, driven->status == ReplicaStatus::deleting
                                                        ? remove(record, *driven)
                                                        : make(*table, *driven));
      if (pause) return *pause;
    }
  }

 private:
  // Each returns when to go on; nothing: at once.
  kv::Result<std::optional<Pause>> make(const store::Table& table, const ReplicaMember& member) {
    const api::TableRecord& record = table.schema_as<TableSchema>().record();
    if (!member.witness) {
      if (fill_region_ != member.region) {
        DINETTE_CHECK(introduce(record, member));
        DINETTE_TRY(const store::TablePointer replica, make_replica(world_, record, member, upkeep_));
        if (!replica) return forget(record, member);  // another table has its name by now
        if (record.replication->strong) DINETTE_CHECK(have_writes_repeated(record, member));
        replicate(world_, member.region, replica->schema_as<TableSchema>().record(), upkeep_);
        replicate(world_, region_, record, upkeep_);
        fill_.emplace(world_, member.region);
        fill_region_ = member.region;
      }
      DINETTE_TRY(const bool more, fill_->step(table, record));
      if (more) return std::optional(Pause{Pause::Until::at_once});
    }
    if (is_passing(member)) return std::optional(Pause::at(member.until.time()));
    return finish_making(record, member);
  }

  bool is_passing(const ReplicaMember& member) const {
    return is_during(world_.clock().now(), member.begun, member.until);
  }

  /// Has the other replicas record what they change for the new one, before anything is read for it.
  kv::Result<void> introduce(const api::TableRecord& record, const ReplicaMember& member) {
    return for_each_other(record, member, [&](api::TableRecord& other) {
      if (find_member(other, member.region)) return false;
      other.replication->members.push_back(member);
      other.replication->members.back().driven = false;
      return true;
    });
  }

  /// Writes with strong consistency that began before there was the new replica would miss it. A new version
  /// of their table has them begin again.
  kv::Result<void> have_writes_repeated(const api::TableRecord& record, const ReplicaMember& member) {
    const auto touch = [](api::TableRecord&) { return true; };
    DINETTE_CHECK(for_each_other(record, member, touch));
    DINETTE_CHECK(edit_replica(world_, region_, record, touch));
    return {};
  }

  kv::Result<std::optional<Pause>> finish_making(const api::TableRecord& record,
                                                 const ReplicaMember& member) {
    fill_region_.clear();
    const auto end = [](api::TableRecord& replica) {
      return std::exchange(replica.replication->filling, false);
    };
    DINETTE_CHECK(edit_replica(world_, member.region, record, end));
    const auto settle = [&](api::TableRecord& replica) {
      ReplicaMember* const made = find_member(replica, member.region);
      if (!made) return false;
      made->status = ReplicaStatus::active;
      made->driven = false;
      return true;
    };
    DINETTE_CHECK(for_each_other(record, member, settle));
    DINETTE_CHECK(edit_replica(world_, region_, record, settle));
    return std::optional<Pause>();
  }

  kv::Result<std::optional<Pause>> remove(const api::TableRecord& record, const ReplicaMember& member) {
    DINETTE_CHECK(for_each_other(record, member, [&](api::TableRecord& other) {
      ReplicaMember* const leaving = find_member(other, member.region);
      if (!leaving || leaving->status == ReplicaStatus::deleting) return false;
      *leaving = member;
      leaving->driven = false;
      return true;
    }));
    if (!member.witness) {
      DINETTE_CHECK(begin_removal(world_, record, member, upkeep_));
      DINETTE_TRY(const bool settled, is_settled(world_, record, member));
      if (!settled) return std::optional(Pause::of(patience));
      if (is_passing(member)) return std::optional(Pause::at(member.until.time()));
      DINETTE_CHECK(finish_removal(world_, record, member, upkeep_));
    } else if (is_passing(member)) {
      return std::optional(Pause::at(member.until.time()));
    }
    return forget(record, member);
  }

  kv::Result<std::optional<Pause>> forget(const api::TableRecord& record, const ReplicaMember& member) {
    const api::TableRecord group = record;
    const std::string gone = member.region;
    for (const ReplicaMember& other : group.replication->members) {
      if (other.witness || other.region == gone) continue;
      DINETTE_CHECK(forget_member(world_, other.region, group, gone, upkeep_));
    }
    DINETTE_CHECK(forget_member(world_, region_, group, gone, upkeep_));
    return std::optional<Pause>();
  }

  /// Changes the records of the replicas in regions other than this one and that of `member`.
  kv::Result<void> for_each_other(const api::TableRecord& record, const ReplicaMember& member,
                                  EditReplica edit) {
    for (const ReplicaMember& other : record.replication->members) {
      if (other.witness || other.region == member.region) continue;
      DINETTE_TRY(const store::TablePointer edited, edit_replica(world_, other.region, record, edit));
      if (edited) replicate(world_, other.region, edited->schema_as<TableSchema>().record(), upkeep_);
    }
    return {};
  }

  tenancy::World& world_;
  const std::string region_;
  const api::TableRecord of_group_;
  const Upkeep upkeep_;
  std::string fill_region_;  ///< of fill_; empty for none
  std::optional<ReplicaFill> fill_;
};

}  // namespace

void work_on_replicas(tenancy::World& world, std::string_view region, const api::TableRecord& record,
                      const Upkeep& upkeep) {
  if (!record.replication || !record.replication->log_id) return;
  if (std::ranges::none_of(record.replication->members, &ReplicaMember::driven)) return;
  world.lanes().add("replicas of " + record.table_name + " from " + std::string(region) + " in the group " +
                        record.replication->group_id,
                    std::make_shared<ReplicaWork>(world, std::string(region), record, upkeep));
}

}  // namespace dinette::dynamodb
