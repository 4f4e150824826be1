#include "dynamodb/replicas/replica_updates.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/stream_specification.h"
#include "dynamodb/api/table_transition.h"
#include "dynamodb/replicas/auto_scaling.h"
#include "dynamodb/replicas/members.h"
#include "dynamodb/replicas/overrides.h"
#include "dynamodb/replicas/regions.h"
#include "dynamodb/replicas/replica_work.h"
#include "dynamodb/replicas/replication_lane.h"
#include "dynamodb/streams/stream_entry.h"
#include "dynamodb/streams/stream_upkeep.h"
#include "dynamodb/streams/table_stream.h"
#include "dynamodb/tables/table_encryption.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

using api::ReplicaMember;
using api::ReplicaStatus;

constexpr std::chrono::hours time_as_source{24};
/// The replicas and the witness of a group with strong consistency, without the first.
constexpr std::size_t others_if_strong = 2;

base::Failure<ApiError> already_existed(const std::string& table) {
  return validation("Failed to create a the new replica of table with name: ‘" + table +
                    "’ because one or more replicas already existed as tables.");
}

base::Failure<ApiError> not_members(const std::string& region) {
  return validation(
      "Update global table operation failed because one or more replicas were not part of the global table. "
      "Please retry the request without these replicas: [" +
      region + "].");
}

base::Failure<ApiError> protected_replica(const std::string& table, std::string_view region) {
  return validation("Cannot delete table " + table + " in region " + std::string(region) +
                    " because it has deletion protection enabled. Disable deletion protection first.");
}

/// Returns true if a replica that is still there was made from one within the last day.
bool was_source(const api::TableReplication& replication, std::string_view region, codec::Timestamp now) {
  return std::ranges::any_of(replication.members, [&](const ReplicaMember& one) {
    return one.source == region && one.joined + time_as_source > now;
  });
}

base::Failure<ApiError> acted_as_source() {
  return validation(
      "Replica cannot be deleted because it has acted as a source region for new replica(s) being added to "
      "the table in the last 24 hours.");
}

/// One attempt to change the group of a table.
class GroupChange {
 public:
  GroupChange(const Context& context, const ReplicaRequest& request, const store::Table& table)
      : context_(context),
        request_(request),
        table_(table),
        now_(context.now),
        until_(now_ + context.settings.state_delay),
        record_(table.schema_as<TableSchema>().record()) {}

  Answer<void> apply() {
    forget_gone_members(record_, now_);
    DINETTE_CHECK(check_state());
    DINETTE_CHECK(check_consistency());
    for (const auto& create : request_.creates) DINETTE_CHECK(check_create(create));
    for (const auto& update : request_.updates) DINETTE_CHECK(check_update(update));
    for (const auto& region : request_.deletes) DINETTE_CHECK(check_delete(region));
    for (const auto& region : request_.disassociated) DINETTE_CHECK(check_disassociate(region));
    const TableState state = state_at(record_, now_);
    const api::TableSettings settings = state.settings;
    const api::TableSettings target = state.target;  // of a change that leaves the table ACTIVE
    const api::TableSettings of_group = settings_of_group(record_, target);
    for (const auto& create : request_.creates) add(create, of_group);
    for (const auto& region : request_.new_witnesses) add_member(region).witness = true;
    for (const auto& update : request_.updates)
      override_settings(begin(*find_member(record_, update.region_name), ReplicaStatus::updating), of_group,
                        update);
    for (const auto& region : request_.deletes) remove(region);
    for (const auto& region : request_.removed_witnesses) remove(region);
    record_.settings = settings;
    record_.transition = api::TableTransition{api::TableStatus::updating, until_, target, false, now_};
    return {};
  }

  /// Enables the stream that replication needs, if there is none. Returns its entry.
  Answer<std::optional<api::StreamEntry>> enable_stream_if_none(std::span<const store::StreamId> shards) {
    if (request_.creates.empty() || (record_.stream && record_.stream->view_type))
      return std::optional<api::StreamEntry>();
    DINETTE_STORED(const store::View view, context_.store.view());
    DINETTE_STORED(
        api::StreamEntry stream,
        enable_stream(view, record_, api::StreamViewType::new_and_old_images, {now_, until_}, shards));
    return std::optional(std::move(stream));
  }

  void set_log(store::StreamId log) {
    if (record_.replication && !record_.replication->log_id)
      record_.replication->log_id = static_cast<std::int64_t>(log);
  }

  const api::TableRecord& record() const { return record_; }

 private:
  bool shared() const { return is_shared(context_.store); }

  Answer<void> check_state() const {
    const TableState state = state_at(record_, now_);
    const bool passing = state.status != api::TableStatus::active;
    if (is_group_changing(record_, now_) || (record_.replication && passing)) return group_in_use();
    return passing ? still_in_use(record_, state.status) : Answer<void>();
  }

  Answer<void> check_consistency() const {
    if (!record_.replication) return request_.strong ? check_new_strong() : Answer<void>();
    if (request_.with_consistency)
      return validation("MultiRegionConsistency parameter is unsupported on existing global table");
    if (!record_.replication->strong) {
      if (request_.deletes.size() < 2) return {};
      return validation(
          "Update table operation with more than one create or delete replica actions not allowed");
    }
    if (!request_.creates.empty())
      return validation("Cannot add replicas to a global table with strong MultiRegionConsistency");
    const std::size_t removed = request_.deletes.size() + request_.removed_witnesses.size();
    if (removed == 0 || removed == record_.replication->members.size()) return {};
    return validation(
        "Deletion of only one table replica is not supported for global tables with MultiRegionConsistency "
        "set to STRONG.");
  }

  Answer<void> check_new_strong() const {
    if (request_.creates.empty() ||
        request_.creates.size() + request_.new_witnesses.size() != others_if_strong)
      return validation(
          "Unsupported replica count for global tables with MultiRegionConsistency set to STRONG.");
    std::vector<std::string> regions{record_.region};
    for (const auto& create : request_.creates) regions.push_back(create.region_name);
    for (const auto& region : request_.new_witnesses) regions.push_back(region);
    if (!may_be_strong(regions)) {
      const auto wrong =
          std::ranges::find_if(regions, [](const std::string& region) { return !may_be_strong(region); });
      return validation(
          "Unsupported Region(s) specified for global tables with MultiRegionConsistency set to STRONG: [" +
          (wrong == regions.end() ? regions.back() : *wrong) + "].");
    }
    if (record_.time_to_live)
      return validation("Time to live is not supported with MultiRegionConsistency set to STRONG.");
    if (!record_.local_secondary_indexes.empty())
      return validation(
          "Local secondary indexes are not supported with MultiRegionConsistency set to STRONG.");
    DINETTE_STORED(const store::Count count, context_.store.count(table_));
    if (count.rows == 0) return {};
    return validation("The table must be empty to have MultiRegionConsistency set to STRONG.");
  }

  Answer<void> check_create(const api::CreateReplicationGroupMemberAction& create) const {
    const api::TableSettings& settings = state_at(record_, now_).settings;
    DINETTE_CHECK(check_write_capacity(record_, settings));
    const bool has_key = is_customer_key(settings.kms_master_key_arn);
    if (has_key && !create.kms_master_key_id)
      return invalid("KMSMasterKeyId is required for a replica of a table with a customer managed key");
    if (!has_key && create.kms_master_key_id)
      return invalid("KMSMasterKeyId is not allowed for a replica of a table without a customer managed key");
    if (create.region_name == record_.region || find_member(record_, create.region_name))
      return already_existed(record_.table_name);
    if (shared()) return {};
    DINETTE_STORED(const store::TablePointer there,
                   store_of(context_.world, create.region_name)->catalog().open(record_.table_name));
    return there ? already_existed(record_.table_name) : Answer<void>();
  }

  Answer<void> check_update(const api::UpdateReplicationGroupMemberAction& update) const {
    if (!find_member(record_, update.region_name)) return not_members(update.region_name);
    if (update.kms_master_key_id) return invalid("KMSMasterKeyId of a replica cannot be updated");
    return {};
  }

  Answer<void> check_delete(const std::string& region) const {
    if (!find_member(record_, region)) return not_members(region);
    if (shared()) return {};
    DINETTE_STORED(const store::TablePointer replica, open_replica(context_.world, region, record_));
    if (!replica) return {};
    const api::TableRecord& there = replica->schema_as<TableSchema>().record();
    if (was_source(*there.replication, region, now_)) return acted_as_source();
    const bool is_protected = there.settings.deletion_protection_enabled;
    return is_protected ? protected_replica(record_.table_name, region) : Answer<void>();
  }

  Answer<void> check_disassociate(const std::string& region) const {
    if (!record_.replication || region != context_.region) return not_members(region);
    if (record_.replication->strong)
      return validation("Disassociation is only supported for global tables with eventual consistency.");
    if (!record_.replication->disassociation_protection_enabled) return {};
    return validation("Cannot disassociate table " + record_.table_name + " in region " + region +
                      " because it has disassociation protection enabled. Disable disassociation protection "
                      "first.");
  }

  ReplicaMember& begin(ReplicaMember& member, ReplicaStatus status) const {
    member.status = status;
    member.begun = now_;
    member.until = until_;
    member.driven = !shared() && status != ReplicaStatus::updating;
    return member;
  }

  ReplicaMember& add_member(const std::string& region) {
    if (!record_.replication) {
      record_.replication = api::TableReplication{.group_id = context_.store.ids().uuid(),
                                                  .log_id = std::nullopt,
                                                  .first_region = record_.region,
                                                  .strong = request_.strong,
                                                  .filling = false,
                                                  .leaving = false,
                                                  .disassociation_protection_enabled = true,
                                                  .overridden = std::nullopt,
                                                  .members = {}};
    }
    ReplicaMember& member = record_.replication->members.emplace_back();
    member.region = region;
    member.source = record_.region;
    member.joined = now_;
    return begin(member, ReplicaStatus::creating);
  }

  void add(const api::CreateReplicationGroupMemberAction& create, const api::TableSettings& of_group) {
    ReplicaMember& member = add_member(create.region_name);
    override_settings(member, of_group, create);
    if (!create.kms_master_key_id) return;
    member.kms_master_key_arn = arn_of_key(create.region_name, record_.account, *create.kms_master_key_id);
  }

  void remove(const std::string& region) {
    ReplicaMember* const member = find_member(record_, region);
    if (member) begin(*member, ReplicaStatus::deleting);
  }

  const Context& context_;
  const ReplicaRequest& request_;
  const store::Table& table_;
  const codec::Timestamp now_;
  const codec::Timestamp until_;
  api::TableRecord record_;
};

/// Tells the other replicas what an Update overrides, and the replica itself.
Answer<void> spread_overrides(const Context& context, const api::TableRecord& record,
                              const ReplicaRequest& request) {
  for (const auto& update : request.updates) {
    const ReplicaMember changed = *find_member(record, update.region_name);
    for (const ReplicaMember& other : record.replication->members) {
      const auto edit = [&](api::TableRecord& replica) {
        if (other.region == changed.region) {
          apply_overrides(replica, changed);
          return true;
        }
        ReplicaMember* const there = find_member(replica, changed.region);
        if (there) *there = changed;
        return there != nullptr;
      };
      DINETTE_STORED([[maybe_unused]] const store::TablePointer edited,
                     edit_replica(context.world, other.region, record, edit));
    }
  }
  return {};
}

/// Checks that a table is a replica that disassociation could be allowed for now.
Answer<void> check_protectable(const api::TableRecord& record, codec::Timestamp now) {
  if (!record.replication || record.replication->strong) {
    return validation(
        "DisassociationProtectionEnabled is only supported for replicas of global tables "
        "with eventual consistency.");
  }
  return is_group_changing(record, now) ? group_in_use() : Answer<void>();
}

/// Has the first of the other replicas remove that of the caller's region.
Answer<void> ask_to_remove(const Context& context, const api::TableRecord& record, bool kept) {
  const codec::Timestamp now = context.now;
  for (const ReplicaMember& other : record.replication->members) {
    if (other.witness) continue;
    const auto edit = [&](api::TableRecord& replica) {
      ReplicaMember* const leaving = find_member(replica, record.region);
      if (!leaving) return false;
      leaving->status = ReplicaStatus::deleting;
      leaving->begun = now;
      leaving->until = now + context.settings.state_delay;
      leaving->driven = true;
      leaving->kept = kept;
      return true;
    };
    DINETTE_STORED(const store::TablePointer asked, edit_replica(context.world, other.region, record, edit));
    if (!asked) continue;
    work_on_replicas(context.world, other.region, asked->schema_as<TableSchema>().record(),
                     upkeep_of(context.settings));
    return {};
  }
  return {};
}

}  // namespace

Upkeep upkeep_of(const Settings& settings) {
  return {settings.time_to_live_delay, settings.objects, settings.stream_retention,
          settings.recovery_window,    settings.kinesis, settings.replication_lag};
}

base::Failure<ApiError> group_in_use() {
  return base::Failure{ApiError{api::ErrorCode::resource_in_use_exception,
                                "The resource which you are attempting to change is in use."}};
}

Answer<store::TablePointer> update_replicas(const Context& context, const OpenTable& table,
                                            const ReplicaRequest& request) {
  DINETTE_STORED(const auto shards, new_shards(context.store, first_shards(table.record())));
  DINETTE_STORED(const store::StreamId log, context.store.new_stream());
  Answer<std::optional<api::StreamEntry>> changed = std::optional<api::StreamEntry>();
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    GroupChange change(context, request, current);
    const auto apply = [&]() -> Answer<std::optional<api::StreamEntry>> {
      DINETTE_CHECK(change.apply());
      if (!is_shared(context.store)) change.set_log(log);
      return change.enable_stream_if_none(shards);
    };
    changed = apply();
    if (!changed) return std::nullopt;
    store::TableUpdate update(encode_record(change.record()));
    if (*changed) update.entries.push_back(write_of(**changed));
    return update;
  };
  DINETTE_STORED(store::TablePointer updated, context.store.catalog().update(*table.table, decide));
  if (!updated) return table_not_found(table.table->name);
  DINETTE_TRY(const std::optional<api::StreamEntry> stream, std::move(changed));
  if (stream) keep_stream(context.store, context.jobs, *stream, context.settings.stream_retention);
  const api::TableRecord& record = updated->schema_as<TableSchema>().record();
  if (is_shared(context.store)) return updated;
  if (!request.disassociated.empty()) DINETTE_CHECK(ask_to_remove(context, record, true));
  DINETTE_CHECK(spread_overrides(context, record, request));
  replicate(context.world, context.store.name_space(), record, upkeep_of(context.settings));
  work_on_replicas(context.world, context.store.name_space(), record, upkeep_of(context.settings));
  return updated;
}

Answer<bool> leave_group(const Context& context, const OpenTable& table) {
  const api::TableRecord& record = table.record();
  if (!record.replication || !record.replication->log_id) return false;
  if (is_group_changing(record, context.now)) return group_in_use();
  if (record.replication->strong) {
    return validation(
        "Deletion of only one table replica is not supported for global tables with MultiRegionConsistency "
        "set to STRONG.");
  }
  if (was_source(*record.replication, record.region, context.now)) return acted_as_source();
  if (state_at(record, context.now).settings.deletion_protection_enabled)
    return protected_replica(record.table_name, record.region);
  DINETTE_CHECK(ask_to_remove(context, record, false));
  return true;
}

Answer<void> protect_from_disassociation(const Context& context, const OpenTable& table, bool enabled) {
  Answer<void> checked;
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    api::TableRecord record = without_gone_members(current.schema_as<TableSchema>().record(), context.now);
    checked = check_protectable(record, context.now);
    if (!checked) return std::nullopt;
    record.replication->disassociation_protection_enabled = enabled;
    return store::TableUpdate(encode_record(record));
  };
  DINETTE_STORED(const store::TablePointer updated, context.store.catalog().update(*table.table, decide));
  if (!updated) return table_not_found(table.table->name);
  return checked;
}

}  // namespace dinette::dynamodb
