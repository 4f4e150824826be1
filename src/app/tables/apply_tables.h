#pragma once

#include <vector>

#include "dinette/definitions/definitions.h"

#include "app/tables/applied.h"
#include "app/transfer/transfer.h"

namespace dinette::app {

/// Makes the tables of DynamoDB that definitions have, one after the other: creates each, waits until it is
/// active, writes its items, then calls what follows. Only new tables get items. A table that fails does not
/// hinder the others.
std::vector<AppliedResource> apply_tables(const Transfer& transfer,
                                          const definitions::Definitions& definitions,
                                          const ApplySettings& settings);

}  // namespace dinette::app
