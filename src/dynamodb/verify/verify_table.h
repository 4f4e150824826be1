#pragma once

#include "dinette/store/catalog.h"
#include "dinette/store/scan.h"

#include "dynamodb/verify/findings.h"

namespace dinette::dynamodb {

/// Checks the items of a table, the entries of its indexes and of its time to live, and its counters.
void verify_table(const store::View& view, const store::Table& table, Findings& findings);

}  // namespace dinette::dynamodb
