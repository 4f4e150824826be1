#pragma once

#include "dinette/store/scan.h"
#include "dinette/store/store.h"

#include "dynamodb/checks/findings.h"

namespace dinette::dynamodb {

/// Each backup has its items, and tables without names belong to a backup or are being copied.
void check_backups(store::Store& store, const store::View& view, Findings& findings);

}  // namespace dinette::dynamodb
