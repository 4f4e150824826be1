#pragma once

#include "dinette/base/jobs.h"
#include "dinette/store/store.h"
#include "dinette/tenancy/world.h"

#include "cql/error.h"
#include "cql/schema/objects.h"
#include "cql/schema/place.h"

/// The ends of keyspaces and tables. What is gone by the clock stays stored until a job, or the next object
/// of its name, removes it.
namespace dinette::cql::schema {

/// Removes what is stored under the name of a keyspace if it is gone.
Answer<void> remove_gone_keyspace(const Place& place, std::string_view keyspace);
/// The same of a table.
Answer<void> remove_gone_table(const Place& place, std::string_view keyspace, std::string_view table);

/// Has a job remove a keyspace or a table once it is gone.
void remove_later(store::Store& store, base::Jobs& jobs, const Transition& transition);

/// Has a job remove a table that is being filled if its server dies.
void remove_unfinished_later(store::Store& store, base::Jobs& jobs);

/// Goes on with the removals of a world that was opened again, or forked.
void resume_removals(tenancy::World& world);

}  // namespace dinette::cql::schema
