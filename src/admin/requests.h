#pragma once

#include "admin/call.h"

namespace dinette::admin {

Answer list_requests(State& state, const Call& call);

}  // namespace dinette::admin
