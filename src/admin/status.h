#pragma once

#include "admin/call.h"

namespace dinette::admin {

/// Returns what makes a world behave unlike the service: its clock, its faults, recording. For programs that
/// ask every few seconds: the response is small, and its cost depends on neither tables nor what was
/// recorded.
Answer get_status(State& state, const Call& call);

}  // namespace dinette::admin
