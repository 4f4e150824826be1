#pragma once

#include <vector>

#include "dinette/definitions/definitions.h"

#include "app/tables/applied.h"
#include "app/transfer/transfer.h"

namespace dinette::app {

/// Makes keyspaces of Amazon Keyspaces, then their types, each after those that it consists of, then their
/// tables; waits for each until it is active. What fails does not hinder the rest.
std::vector<AppliedResource> apply_keyspaces(const Transfer& transfer,
                                             const std::vector<definitions::KeyspacesResource>& resources,
                                             OnDifference existing);

}  // namespace dinette::app
