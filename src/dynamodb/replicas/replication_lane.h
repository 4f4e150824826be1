#pragma once

#include <string>
#include <string_view>

#include "dinette/dynamodb/service.h"
#include "dinette/store/store.h"
#include "dinette/tenancy/world.h"

#include "dynamodb/api/table_record.h"

/// What brings the changes of a replica to those in other regions, in a lane of its world
/// (dinette/deliveries/lanes.h). It ends with the group of the table.
namespace dinette::dynamodb {

/// Has the changes of a replica delivered from now on; does nothing for other tables. If that is so already,
/// the lane looks at the members again.
void replicate(tenancy::World& world, std::string_view region, const api::TableRecord& record,
               const Upkeep& upkeep);

/// Returns true if the replica in a region has no change that the one in another region has not got.
kv::Result<bool> is_delivered(const store::Store& store, const api::TableRecord& record, std::string_view to);

}  // namespace dinette::dynamodb
