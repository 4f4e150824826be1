#pragma once

#include <string>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/tenancy/faults.h"

namespace dinette::app {

/// Reads a file of rules (docs/faults.md). On failure returns a message for the user.
base::Result<std::vector<tenancy::FaultRule>, std::string> read_faults(const std::string& path);

}  // namespace dinette::app
