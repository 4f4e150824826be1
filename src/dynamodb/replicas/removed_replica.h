#pragma once

#include <string_view>

#include "dinette/dynamodb/service.h"
#include "dinette/tenancy/world.h"

#include "dynamodb/api/replica_member.h"
#include "dynamodb/api/table_record.h"

/// The steps by which a replica is removed, each of which may be repeated. `group`: the record of a replica
/// that stays.
namespace dinette::dynamodb {

/// Makes the replica DELETING, and ends its stream; nothing else is written to it from then on.
kv::Result<void> begin_removal(tenancy::World& world, const api::TableRecord& group,
                               const api::ReplicaMember& member, const Upkeep& upkeep);

/// Returns true if the others have all its changes and, if it is kept as a regional table, it has all of
/// theirs.
kv::Result<bool> is_settled(tenancy::World& world, const api::TableRecord& group,
                            const api::ReplicaMember& member);

/// Deletes the replica, or makes a regional table of it.
kv::Result<void> finish_removal(tenancy::World& world, const api::TableRecord& group,
                                const api::ReplicaMember& member, const Upkeep& upkeep);

/// Takes the member out of the record of a replica in a region, which is a regional table then if it was the
/// last one.
kv::Result<void> forget_member(tenancy::World& world, std::string_view region, const api::TableRecord& group,
                               std::string_view member, const Upkeep& upkeep);

}  // namespace dinette::dynamodb
