#pragma once

#include "dinette/store/scan.h"
#include "dinette/store/store.h"

#include "dynamodb/verify/findings.h"

namespace dinette::dynamodb {

/// Checks that each export is where its ARN says.
void verify_exports(const store::View& view, Findings& findings);

}  // namespace dinette::dynamodb
