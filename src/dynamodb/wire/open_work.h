#pragma once

#include "dinette/dynamodb/service.h"
#include "dinette/tenancy/world.h"

namespace dinette::dynamodb {

/// Goes on with what the tables of a world say is unfinished: indexes that are being filled, and tables that
/// are being deleted. They are looked for by a job, so that this takes no longer the more tables there are.
void resume_open_work(tenancy::World& world, const Upkeep& upkeep);

}  // namespace dinette::dynamodb
