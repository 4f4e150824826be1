#include "cql/wire/background.h"

#include <stop_token>
#include <string_view>
#include <utility>

#include "dinette/tenancy/upkeep.h"

#include "cql/frames/replies.h"
#include "cql/schema/change_streams.h"
#include "cql/schema/deletion.h"
#include "cql/schema/place.h"
#include "cql/upkeep/store_upkeep.h"
#include "cql/wire/world_state.h"

namespace dinette::cql::wire {

void keep_later(tenancy::World& world, store::Store& store, base::TimePoint due) {
  const auto report = [&world](std::string_view table, const upkeep::Removals& removals) {
    WorldState::of(world).add(table, removals);
  };
  const auto step = [&store, report](const std::stop_token& stop) {
    return upkeep::keep_store(store, report, stop);
  };
  tenancy::run_upkeep(store, world.jobs(), "upkeep of tables of Amazon Keyspaces", due, step);
}

void resume(tenancy::World& world) {
  schema::resume_removals(world);
  const auto untouched = world.untouched();
  if (untouched && *untouched) return;
  for (store::Store* const store : world.stores(face_id)) keep_later(world, *store, base::Jobs::at_once);
}

void announce(tenancy::World& world, store::Store& store, const schema::SchemaOutcome& changed) {
  const base::TimePoint now = world.clock().now();
  if (changed.change.target == frames::SchemaChange::Target::table)
    keep_later(world, store, now + schema::streams_keep);
  WorldState& state = WorldState::of(world);
  std::string body = frames::schema_change_event(changed.change);
  // A job may be done by another server, whose clients are others.
  if (changed.done <= now || world.servers() > 1) return state.publish(store.name_space(), body);
  const auto publish = [&state, name_space = store.name_space(),
                        body = std::move(body)](const std::stop_token&) {
    state.publish(name_space, body);
    return base::Jobs::Next(base::Jobs::done);
  };
  world.jobs().add(changed.done, publish);
}

}  // namespace dinette::cql::wire
