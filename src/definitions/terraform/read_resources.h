#pragma once

#include <cstddef>
#include <vector>

#include "../format.h"
#include "resource.h"

namespace dinette::definitions {

inline constexpr std::size_t most_resources = 10'000;  // as many tables as an account can have

/// Adds what the resources of a plan, a state or a configuration are: tables, what belongs to them, triggers.
/// More than most_resources are an error.
void read_resources(const std::vector<Resource>& resources, const Input& input, Definitions& to);

}  // namespace dinette::definitions
