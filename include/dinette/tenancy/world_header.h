#pragma once

#include <string_view>

namespace dinette::tenancy {

/// The header by which a request to any front end may choose its world. Its value is the name of a fork, or
/// default_world.
inline constexpr std::string_view world_header = "X-Dinette-World";
inline constexpr std::string_view default_world = "default";

}  // namespace dinette::tenancy
