#pragma once

#include "admin/call.h"

namespace dinette::admin {

Answer list_faults(State& state, const Call& call);
Answer put_faults(State& state, const Call& call);
Answer delete_faults(State& state, const Call& call);

}  // namespace dinette::admin
