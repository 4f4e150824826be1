#pragma once

#include "dinette/tenancy/world.h"

namespace dinette::tablestore::wire {

/// Has jobs go on with the work on the tables of a world that was opened again, or forked: indexes are
/// filled, expired cells and records of streams removed.
void resume(tenancy::World& world);

}  // namespace dinette::tablestore::wire
