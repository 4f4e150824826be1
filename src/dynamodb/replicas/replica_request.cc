#include "dynamodb/replicas/replica_request.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "dynamodb/api/enums.h"
#include "dynamodb/api/global_table_witness_group_update.h"
#include "dynamodb/api/replication_group_update.h"
#include "dynamodb/replicas/regions.h"

namespace dinette::dynamodb {
namespace {

constexpr std::string_view of_actions = "Update table operation with more than one ";

Answer<void> check_region(const Context& context, const std::string& region) {
  if (region.empty())
    return base::Failure{ApiError{api::ErrorCode::access_denied_exception, "Access is denied"}};
  if (region == context.region) {
    return validation(
        "Cannot add or delete the local region through ReplicaUpdates. Use CreateTable, DeleteTable, or "
        "UpdateTable as required.");
  }
  if (may_have_replica(region)) return {};
  return validation("Region " + region +
                    " is not supported. The latest version of global tables are only supported in the "
                    "following regions: " +
                    regions_in_words());
}

/// Notes an action on a region; each kind has a set of its own.
Answer<void> note_region(std::set<std::string>& regions, const std::string& region) {
  if (regions.insert(region).second) return {};
  return validation("Cannot target multiple regions with the same action");
}

class Reader {
 public:
  explicit Reader(const Context& context) : context_(context) {}

  Answer<void> read(const api::ReplicationGroupUpdate& update) {
    if (update.create) {
      DINETTE_CHECK(note_region(created_, update.create->region_name));
      DINETTE_CHECK(check_region(context_, update.create->region_name));
      request.creates.push_back(*update.create);
    }
    if (update.update) {
      DINETTE_CHECK(note_region(updated_, update.update->region_name));
      DINETTE_CHECK(check_region(context_, update.update->region_name));
      request.updates.push_back(*update.update);
    }
    if (update.delete_) {
      DINETTE_CHECK(note_region(deleted_, update.delete_->region_name));
      DINETTE_CHECK(check_region(context_, update.delete_->region_name));
      request.deletes.push_back(update.delete_->region_name);
    }
    if (update.disassociate) request.disassociated.push_back(update.disassociate->region_name);
    const bool empty = !update.create && !update.update && !update.delete_ && !update.disassociate;
    if (!empty) return {};
    return validation("There are no actions specified in the Replica Update Action of the request.");
  }

  Answer<void> read(const api::GlobalTableWitnessGroupUpdate& update) {
    if (update.create) {
      if (!request.strong) {
        return validation(
            "MultiRegionConsistency must be set as STRONG when GlobalTableWitnessUpdates parameter is "
            "present.");
      }
      if (update.create->region_name == context_.region) {
        return validation(
            "Cannot add a witness in the same region as an existing replica when creating a global table "
            "with MultiRegionConsistency set to STRONG.");
      }
      request.new_witnesses.push_back(update.create->region_name);
    }
    if (update.delete_) request.removed_witnesses.push_back(update.delete_->region_name);
    return {};
  }

  /// A group with eventual consistency changes by one replica at a time. Of the others only the group itself
  /// says what they may do.
  Answer<void> check_actions() const {
    const std::size_t creates = request.creates.size();
    const std::size_t deletes = request.deletes.size();
    const std::size_t others = request.updates.size() + request.disassociated.size();
    if ((creates > 0 && deletes > 0) || (others > 0 && creates + deletes > 0) ||
        (!request.disassociated.empty() && request.updates.size() + request.disassociated.size() > 1))
      return validation(std::string(of_actions) + "type of replica actions not allowed.");
    if (creates > 1 && !request.strong)
      return validation(std::string(of_actions) + "create or delete replica actions not allowed");
    return {};
  }

  ReplicaRequest request;

 private:
  const Context& context_;
  std::set<std::string> created_;
  std::set<std::string> updated_;
  std::set<std::string> deleted_;
};

}  // namespace

bool changes_replicas(const api::UpdateTableInput& input) {
  return input.replica_updates.has_value();
}

Answer<ReplicaRequest> read_replica_request(const Context& context, const api::UpdateTableInput& input) {
  Reader reader(context);
  reader.request.strong = input.multi_region_consistency == api::MultiRegionConsistency::strong;
  reader.request.with_consistency = input.multi_region_consistency.has_value();
  for (const auto& update : *input.replica_updates) DINETTE_CHECK(reader.read(update));
  if (input.global_table_witness_updates) {
    for (const auto& update : *input.global_table_witness_updates) DINETTE_CHECK(reader.read(update));
  }
  DINETTE_CHECK(reader.check_actions());
  return std::move(reader.request);
}

}  // namespace dinette::dynamodb
