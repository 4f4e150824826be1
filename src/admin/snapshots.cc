#include "admin/snapshots.h"

#include <utility>

#include "dinette/base/time_text.h"

namespace dinette::admin {
namespace {

Json describe(const KeptSnapshot& snapshot) {
  return {{"id", snapshot.id}, {"world", snapshot.world}, {"createdAt", base::format_time(snapshot.created)}};
}

base::Failure<Error> no_such_snapshot(const std::string& id) {
  return not_found("There is no snapshot '" + id + "'.");
}

}  // namespace

Answer list_snapshots(State& state, const Call&) {
  DINETTE_ADMIN_STORED(const auto all, state.snapshots.list());
  Json snapshots = Json::array();
  for (const SnapshotPointer& one : all) snapshots.push_back(describe(*one));
  return Reply{{{"snapshots", std::move(snapshots)}}};
}

Answer take_snapshot(State& state, const Call& call) {
  DINETTE_CHECK(call.body.allow_only({"world"}));
  DINETTE_TRY(const NamedWorld chosen, chosen_world(state, call));
  DINETTE_ADMIN_STORED(auto image, chosen.world->image());
  DINETTE_ADMIN_STORED(const SnapshotPointer kept,
                       state.snapshots.add(chosen.name, state.real_clock.now(), std::move(image)));
  if (!kept) {
    return conflict("There are " + std::to_string(KeptSnapshots::most) + " snapshots already; delete some.");
  }
  return Reply{describe(*kept), 201};
}

Answer delete_snapshot(State& state, const Call& call) {
  DINETTE_ADMIN_STORED(const bool was_kept, state.snapshots.remove(call.argument));
  if (!was_kept) return no_such_snapshot(call.argument);
  return Reply{{{"deleted", call.argument}}};
}

Answer restore_snapshot(State& state, const Call& call) {
  DINETTE_CHECK(call.body.allow_only({"world"}));
  DINETTE_ADMIN_STORED(const SnapshotPointer snapshot, state.snapshots.find(call.argument));
  if (!snapshot) return no_such_snapshot(call.argument);
  DINETTE_TRY(const auto name, chosen_name(call));
  DINETTE_TRY(const NamedWorld target, world_named(state, name.value_or(snapshot->world)));
  if (const auto restored = state.worlds.restore(own_name(target.name), snapshot->image); !restored)
    return storage_failure(restored.error());
  return Reply{{{"restored", snapshot->id}, {"world", target.name}}};
}

}  // namespace dinette::admin
