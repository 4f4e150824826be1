#pragma once

#include "admin/call.h"

/// Worlds: forking, resetting, listing and dropping them.
namespace dinette::admin {

Answer list_worlds(State& state, const Call& call);
Answer fork_world(State& state, const Call& call);
Answer get_world(State& state, const Call& call);
Answer delete_world(State& state, const Call& call);
Answer reset_worlds(State& state, const Call& call);

}  // namespace dinette::admin
