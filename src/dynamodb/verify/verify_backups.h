#pragma once

#include "dinette/store/scan.h"
#include "dinette/store/store.h"

#include "dynamodb/verify/findings.h"

namespace dinette::dynamodb {

/// Checks that backups have their items, and that unnamed tables belong to a backup or are being copied.
void verify_backups(store::Store& store, const store::View& view, Findings& findings);

}  // namespace dinette::dynamodb
