#pragma once

#include "admin/call.h"

namespace dinette::admin {

Answer get_metrics(State& state, const Call& call);

}  // namespace dinette::admin
