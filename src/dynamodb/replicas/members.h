#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/function_ref.h"
#include "dinette/store/store.h"
#include "dinette/tenancy/world.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/replica_member.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/codec/inputs.h"

/// The replicas of a global table. The record of each replica lists the others: there is no other place where
/// the group is kept, and a step that changes it does so region by region, so that it may be repeated.
///
/// Where all regions see the same tables, a replica is the table itself: then it has no log, and its members
/// change by the clock alone.
namespace dinette::dynamodb {

/// Returns the store of a region.
std::shared_ptr<store::Store> store_of(tenancy::World& world, std::string_view region);

/// Returns true if all regions see the same tables.
bool is_shared(const store::Store& store);

/// Returns null if there is none.
api::ReplicaMember* find_member(api::TableRecord& record, std::string_view region);
const api::ReplicaMember* find_member(const api::TableRecord& record, std::string_view region);

/// Returns the status of a member at a moment: UPDATING ends by the clock. Where all regions see the same
/// tables CREATING does, too.
api::ReplicaStatus status_at(const api::TableRecord& record, const api::ReplicaMember& member,
                             codec::Timestamp now);

/// Returns true for what is not listed any more: where all regions see the same tables, DELETING ends by the
/// clock.
bool is_gone(const api::TableRecord& record, const api::ReplicaMember& member, codec::Timestamp now);

/// Returns true while a replica is made, changed or removed, or this one is.
bool is_group_changing(const api::TableRecord& record, codec::Timestamp now);

/// Returns the members that are there at a moment, without witnesses.
std::vector<api::ReplicaMember> replicas_at(const api::TableRecord& record, codec::Timestamp now);

/// Removes what is gone; and the group, if nothing is left of it. Returns true if it was removed.
bool forget_gone_members(api::TableRecord& record, codec::Timestamp now);

/// Returns the record without what is gone: of a regional table if nothing is left of its group.
api::TableRecord without_gone_members(api::TableRecord record, codec::Timestamp now);

/// Returns the replica of the same group and name in another region; null if there is none.
kv::Result<store::TablePointer> open_replica(tenancy::World& world, std::string_view region,
                                             const api::TableRecord& of_group);

/// Changes the record of the replica in a region, if there is one; `edit` returns false to leave it. Returns
/// the table as it is then; null if there is none.
using EditReplica = base::FunctionRef<bool(api::TableRecord& record)>;
kv::Result<store::TablePointer> edit_replica(tenancy::World& world, std::string_view region,
                                             const api::TableRecord& of_group, EditReplica edit);

}  // namespace dinette::dynamodb
