#pragma once

#include "admin/call.h"

/// The clocks of worlds.
namespace dinette::admin {

Answer get_clock(State& state, const Call& call);
Answer put_clock(State& state, const Call& call);

}  // namespace dinette::admin
