#pragma once

#include "dynamodb/api/create_replication_group_member_action.h"
#include "dynamodb/api/overridden_settings.h"
#include "dynamodb/api/replica_member.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/api/table_settings.h"
#include "dynamodb/api/update_replication_group_member_action.h"
#include "dynamodb/api/update_table.h"

/// What a replica has instead of the settings of its group (docs/service/global-tables.md section 1). The
/// other replicas list it in its member; its own record keeps what the group has there
/// (TableReplication::overridden), so the settings of the group are known in every region.
namespace dinette::dynamodb {

/// Adds to a member what a request overrides; what equals the setting of the group is inherited again.
void override_settings(api::ReplicaMember& member, const api::TableSettings& of_group,
                       const api::CreateReplicationGroupMemberAction& action);
void override_settings(api::ReplicaMember& member, const api::TableSettings& of_group,
                       const api::UpdateReplicationGroupMemberAction& action);

/// Returns the settings of the group, given those of the replica of a record.
api::TableSettings settings_of_group(const api::TableRecord& replica, api::TableSettings settings);

/// Gives a member what the replica of a record overrides.
void list_own_overrides(const api::TableRecord& replica, api::ReplicaMember& member);

/// Gives the replica of a record what its member overrides, and nothing else.
void apply_overrides(api::TableRecord& replica, const api::ReplicaMember& member);

/// Keeps what replicas override when an UpdateTable changes the settings of the group, unless it resets it.
/// `before`: the settings of this replica; `after`: those of the group, which become those of this replica.
void keep_overrides(api::TableRecord& record, const api::UpdateTableInput& input,
                    const api::TableSettings& before, api::TableSettings& after);

}  // namespace dinette::dynamodb
