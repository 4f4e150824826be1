#pragma once

#include "admin/call.h"

/// Snapshots of worlds: taking, listing, restoring and deleting them.
namespace dinette::admin {

Answer list_snapshots(State& state, const Call& call);
Answer take_snapshot(State& state, const Call& call);
Answer delete_snapshot(State& state, const Call& call);
Answer restore_snapshot(State& state, const Call& call);

}  // namespace dinette::admin
