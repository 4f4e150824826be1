#pragma once

#include "dinette/store/store.h"

#include "dynamodb/checks/findings.h"

namespace dinette::dynamodb {

/// Reads what is kept of imports, and compares it with the tables that are being imported.
void check_imports(store::Store& store, const store::View& view, Findings& findings);

}  // namespace dinette::dynamodb
