#pragma once

#include <string_view>

#include "admin/call.h"

namespace dinette::admin {

inline constexpr std::string_view health_path = "/_dinette/health";

/// Handles GET /_dinette/health: whether the server can do its work, for whatever watches it.
Answer get_health(State& state, const Call& call);

}  // namespace dinette::admin
