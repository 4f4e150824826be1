#pragma once

#include <string>

#include "dinette/base/clock.h"
#include "dinette/tenancy/world.h"

#include "cql/schema/ddl.h"

/// What goes on in a world without requests.
namespace dinette::cql::wire {

/// Has what is stored looked after at that time, or earlier if that is planned already.
void keep_later(tenancy::World& world, store::Store& store, base::TimePoint due);

/// Goes on with the work of a world that was opened again, or forked.
void resume(tenancy::World& world);

/// Tells those who have subscribed of a change of the schema, when it is over, and has new tables looked
/// after.
void announce(tenancy::World& world, store::Store& store, const schema::SchemaOutcome& changed);

}  // namespace dinette::cql::wire
