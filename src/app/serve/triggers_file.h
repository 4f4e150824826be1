#pragma once

#include <string>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/lambda/triggers.h"

namespace dinette::app {

/// Reads a file of triggers (docs/functions.md). On failure returns a message for the user.
base::Result<std::vector<lambda::Trigger>, std::string> read_triggers_file(const std::string& path);

}  // namespace dinette::app
