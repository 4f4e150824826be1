#pragma once

#include "dinette/store/scan.h"

#include "dynamodb/verify/findings.h"

namespace dinette::dynamodb {

/// Checks the streams of all tables, those of deleted ones included: that their entries and records read.
void verify_streams(const store::View& view, Findings& findings);

}  // namespace dinette::dynamodb
