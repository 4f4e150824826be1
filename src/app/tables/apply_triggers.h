#pragma once

#include <vector>

#include "dinette/definitions/definitions.h"

#include "app/tables/applied.h"
#include "app/transfer/transfer.h"

namespace dinette::app {

/// Makes triggers as event source mappings of Lambda, of the streams that their tables have now. One trigger
/// that fails does not hinder the others; a server without Lambda leaves them out.
std::vector<AppliedResource> apply_triggers(const Transfer& transfer,
                                            const std::vector<definitions::Trigger>& triggers,
                                            OnDifference existing);

}  // namespace dinette::app
