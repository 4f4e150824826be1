#pragma once

#include "admin/call.h"

namespace dinette::admin {

Answer list_contributors(State& state, const Call& call);

}  // namespace dinette::admin
