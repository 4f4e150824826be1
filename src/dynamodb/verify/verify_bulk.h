#pragma once

#include "dinette/store/scan.h"

#include "dynamodb/verify/findings.h"

namespace dinette::dynamodb {

/// Reads what is kept of bulk operations: each is where its ARN says, a running one has its table, and there
/// are the lines of reports that it says there are.
void verify_bulk(const store::View& view, Findings& findings);

}  // namespace dinette::dynamodb
