#pragma once

#include "admin/call.h"

/// How the regions of a world reach each other, and what their clocks show.
namespace dinette::admin {

Answer get_regions(State& state, const Call& call);
Answer put_regions(State& state, const Call& call);

}  // namespace dinette::admin
