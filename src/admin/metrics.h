#pragma once

#include <string_view>

#include "admin/call.h"

namespace dinette::admin {

inline constexpr std::string_view metrics_path = "/_dinette/metrics";

Answer get_metrics(State& state, const Call& call);

}  // namespace dinette::admin
