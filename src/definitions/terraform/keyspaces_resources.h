#pragma once

#include <vector>

#include "dinette/definitions/definitions.h"

#include "resource.h"

namespace dinette::definitions {

/// Adds the keyspaces and tables that `aws_keyspaces_keyspace` and `aws_keyspaces_table` are, or their
/// errors.
void add_keyspaces_of_resources(const std::vector<Resource>& resources, const Surroundings& surroundings,
                                Definitions& to);

}  // namespace dinette::definitions
