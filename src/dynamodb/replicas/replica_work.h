#pragma once

#include <string_view>

#include "dinette/dynamodb/service.h"
#include "dinette/tenancy/world.h"

#include "dynamodb/api/table_record.h"

/// What goes on for a replica that is being made or removed, in a lane of its world: it is filled with the
/// items of the table that it is made from, or waits until its changes are everywhere, and the other replicas
/// learn about it (docs/service/global-tables.md section 1).
namespace dinette::dynamodb {

/// Does what a table has begun for other replicas (ReplicaMember::driven), if anything. Repeats what a
/// restart may have interrupted.
void work_on_replicas(tenancy::World& world, std::string_view region, const api::TableRecord& record,
                      const Upkeep& upkeep);

}  // namespace dinette::dynamodb
