#pragma once

#include <string>
#include <vector>

#include "dynamodb/api/create_replication_group_member_action.h"
#include "dynamodb/api/update_replication_group_member_action.h"
#include "dynamodb/api/update_table.h"
#include "dynamodb/request/context.h"

/// What an UpdateTable asks for about replicas (docs/service/global-tables.md section 1).
namespace dinette::dynamodb {

/// The actions of a request, each for another region.
struct ReplicaRequest {
  std::vector<api::CreateReplicationGroupMemberAction> creates;
  std::vector<api::UpdateReplicationGroupMemberAction> updates;
  std::vector<std::string> deletes;        ///< regions
  std::vector<std::string> disassociated;  ///< likewise
  std::vector<std::string> new_witnesses;
  std::vector<std::string> removed_witnesses;
  bool strong = false;            ///< MultiRegionConsistency is STRONG
  bool with_consistency = false;  ///< it is given
};

/// Returns true if the request changes replicas or witnesses.
bool changes_replicas(const api::UpdateTableInput& input);

/// Reads the actions, and checks what does not depend on the table.
Answer<ReplicaRequest> read_replica_request(const Context& context, const api::UpdateTableInput& input);

}  // namespace dinette::dynamodb
