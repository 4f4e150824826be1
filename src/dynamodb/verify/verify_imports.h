#pragma once

#include "dinette/store/store.h"

#include "dynamodb/verify/findings.h"

namespace dinette::dynamodb {

/// Reads what is kept of imports, and compares it with the tables that are being imported.
void verify_imports(store::Store& store, const store::View& view, Findings& findings);

}  // namespace dinette::dynamodb
