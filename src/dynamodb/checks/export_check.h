#pragma once

#include "dinette/store/scan.h"
#include "dinette/store/store.h"

#include "dynamodb/checks/findings.h"

namespace dinette::dynamodb {

/// Checks that each export is where its ARN says.
void check_exports(const store::View& view, Findings& findings);

}  // namespace dinette::dynamodb
