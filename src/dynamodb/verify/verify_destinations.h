#pragma once

#include "dinette/store/scan.h"
#include "dinette/store/store.h"

#include "dynamodb/verify/findings.h"

namespace dinette::dynamodb {

/// Checks the logs of Kinesis destinations: that their records read, and that each is the log of a table's
/// destination, or has ended.
void verify_destinations(store::Store& store, const store::View& view, Findings& findings);

/// Checks that the logs of a table's destinations are there.
void verify_destinations_of(const store::View& view, const store::Table& table, Findings& findings);

}  // namespace dinette::dynamodb
