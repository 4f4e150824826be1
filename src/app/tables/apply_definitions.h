#pragma once

#include <vector>

#include "dinette/definitions/definitions.h"

#include "app/tables/applied.h"
#include "app/transfer/transfer.h"

namespace dinette::app {

/// Makes what definitions have: what is in Amazon Keyspaces, the tables of DynamoDB, then the triggers, which
/// read streams of tables. What fails does not hinder the rest.
std::vector<AppliedResource> apply_definitions(const Transfer& transfer,
                                               const definitions::Definitions& definitions,
                                               const ApplySettings& settings);

}  // namespace dinette::app
